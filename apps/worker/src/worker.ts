import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Logger } from 'nestjs-pino';
import type { Settings } from '#config';
import { CONTEXT_OPTIONS } from '#wiring';
import { WorkerModule } from './worker.module.ts';

/** The worker as it runs. */
export class Worker {
  readonly #app: INestApplicationContext;

  static async start(settings: Settings): Promise<Worker> {
    const app = await NestFactory.createApplicationContext(WorkerModule.forRoot(settings), CONTEXT_OPTIONS);
    app.useLogger(app.get(Logger));
    return new Worker(app);
  }

  private constructor(app: INestApplicationContext) {
    this.#app = app;
  }

  /** Lets go of the jobs in flight, which start again elsewhere or later. */
  async stop(): Promise<void> {
    await this.#app.close();
  }
}
