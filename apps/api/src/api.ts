import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Settings } from '#config';
import { listenRefusal } from '#process';
import { ApiModule } from './api.module.ts';
import { configureHttp, HTTP_OPTIONS } from './http/index.ts';

/** What requests in flight may take to be answered once the API stops. */
const DRAIN_MS = 3000;

/** The API as it listens. */
export class Api {
  readonly app: NestExpressApplication;

  /** @throws StartError when it can't listen where it should */
  static async start(settings: Settings): Promise<Api> {
    const app = await NestFactory.create<NestExpressApplication>(ApiModule.forRoot(settings), HTTP_OPTIONS);
    configureHttp(app);
    try {
      // A large upload on a slow line takes as long as it takes, within the life of its URL.
      app.getHttpServer().requestTimeout = settings.uploads.urlTtlSeconds * 1000;
      await app.listen(settings.http.port, settings.http.host);
    } catch (error) {
      await app.close();
      throw refusalOf(error, settings);
    }
    return new Api(app);
  }

  private constructor(app: NestExpressApplication) {
    this.app = app;
  }

  /** Answers what is in flight, breaks off what streams, and closes every connection. */
  async stop(): Promise<void> {
    const server = this.app.getHttpServer();
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    const rest = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await this.app.close();
    clearInterval(idle);
    clearTimeout(rest);
  }
}

/** Says what to do when it is the port that can't be listened on. */
function refusalOf(error: unknown, { http }: Settings): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || (syscall !== 'listen' && syscall !== 'getaddrinfo')) return error;
  return listenRefusal(http.host, http.port, code);
}
