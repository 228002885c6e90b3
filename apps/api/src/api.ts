import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Settings } from '#config';
import { listenRefusal } from '#process';
import { ApiModule } from './api.module.ts';
import { HealthChecks } from './health/health-checks.ts';
import { configureHttp, HTTP_OPTIONS, JsonAdapter } from './http/index.ts';

/** The time that requests in flight have to complete when the API stops. */
const DRAIN_MS = 3000;
const CHECK_MS = 20_000;

/** The listening API. */
export class Api {
  /** @throws StartError if it can't listen on its host and port */
  static async start(settings: Settings): Promise<Api> {
    const module = ApiModule.forRoot(settings);
    const app = await NestFactory.create<NestExpressApplication>(module, new JsonAdapter(), HTTP_OPTIONS);
    configureHttp(app);
    try {
      await app.listen(settings.http.port, settings.http.host);
    } catch (error) {
      await app.close();
      throw refusalOf(error, settings);
    }
    return new Api(app, settings.http.drainSeconds * 1000);
  }

  private constructor(
    readonly app: NestExpressApplication,
    private readonly drainMs: number,
  ) {}

  /** Resolves when it responds to a request. */
  async check(): Promise<void> {
    const url = `${await this.app.getUrl()}/health/live`;
    // eslint-disable-next-line no-restricted-globals -- it calls itself, not the outside
    await (await fetch(url, { signal: AbortSignal.timeout(CHECK_MS) })).arrayBuffer();
  }

  /** Serves until proxies have noticed the stop, then until requests in flight are complete or their time has passed. */
  async drain(): Promise<void> {
    if (this.drainMs === 0) return;
    const server = this.app.getHttpServer();
    this.app.get(HealthChecks).drain();
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    await sleep(this.drainMs);
    const countConnections = promisify(server.getConnections.bind(server)) as () => Promise<number>;
    for (const until = Date.now() + this.drainMs; Date.now() < until; await sleep(100)) {
      server.closeIdleConnections();
      if ((await countConnections()) === 0) return;
    }
  }

  /** Completes requests in flight, breaks off streams and closes all connections. */
  async stop(): Promise<void> {
    const server = this.app.getHttpServer();
    const drainedAt = Date.now() + DRAIN_MS;
    // Again and again: while other parts close, the server still accepts connections.
    const closing = setInterval(() => {
      if (Date.now() < drainedAt) server.closeIdleConnections();
      else server.closeAllConnections();
    }, 100);
    await this.app.close();
    clearInterval(closing);
  }
}

/** Explains what to do if the port can't be listened on. */
function refusalOf(error: unknown, { http }: Settings): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || (syscall !== 'listen' && syscall !== 'getaddrinfo')) return error;
  return listenRefusal(http.host, http.port, code);
}
