import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { Registry } from 'prom-client';
import { NestFactory } from '@nestjs/core';
import { LoggerModule } from 'nestjs-pino';
import type { Settings } from '#config';
import {
  CONTEXT_OPTIONS,
  logOptions,
  measureProcess,
  MetricsServer,
  MetricsText,
  PlatformModule,
  postgres,
  provideMade,
  startLogging,
} from '#wiring';
import { JobsModule } from './jobs.module.ts';
import { SweepsModule } from './sweeps.module.ts';

@Module({})
class WorkerModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        LoggerModule.forRoot({ pinoHttp: logOptions(settings.log, 'worker') }),
        PlatformModule.forRoot(settings, 'worker'),
        JobsModule,
        SweepsModule,
      ],
      providers: [
        provideMade(MetricsServer, [MetricsText, Registry, postgres], (text, registry, connection) => {
          measureProcess(connection, settings, registry);
          const { host, workerPort } = settings.metrics;
          return new MetricsServer(text, host, workerPort, 'WORKER_METRICS_');
        }),
      ],
    };
  }
}

/** The worker program: runs jobs and sweeps. */
export class Worker {
  private constructor(private readonly app: INestApplicationContext) {}

  static async start(settings: Settings): Promise<Worker> {
    const app = await NestFactory.createApplicationContext(WorkerModule.forRoot(settings), CONTEXT_OPTIONS);
    startLogging(app);
    return new Worker(app);
  }

  /** Hands the running jobs back; they start again in another worker or later. */
  async stop(): Promise<void> {
    await this.app.close();
  }
}
