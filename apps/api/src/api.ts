import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Settings } from '#config';
import { listenRefusal } from '#embedded';
import { ApiModule } from './api.module.ts';

/** What requests in flight may take to be answered once the API stops. */
const DRAIN_MS = 3000;

/** The API as it listens. */
export class Api {
  readonly #app: NestExpressApplication;

  /** @throws StartError when it can't listen where it should */
  static async start(settings: Settings): Promise<Api> {
    const app = await NestFactory.create<NestExpressApplication>(ApiModule.forRoot(settings), {
      bodyParser: false,
      bufferLogs: true,
      abortOnError: false,
    });
    const { host, port } = settings.http;
    try {
      // A large upload on a slow line takes as long as it takes, within the life of its URL.
      app.getHttpServer().requestTimeout = settings.uploads.urlTtlSeconds * 1000;
      await app.listen(port, host);
    } catch (error) {
      await app.close();
      const { code } = error as NodeJS.ErrnoException;
      throw code === undefined ? error : listenRefusal(host, port, code);
    }
    return new Api(app);
  }

  private constructor(app: NestExpressApplication) {
    this.#app = app;
  }

  /** Answers what is in flight, breaks off what streams, and closes every connection. */
  async stop(): Promise<void> {
    const server = this.#app.getHttpServer();
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    const rest = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await this.#app.close();
    clearInterval(idle);
    clearTimeout(rest);
  }
}
