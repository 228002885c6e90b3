import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { Registry } from 'prom-client';
import type { Settings } from '#config';
import { logOptions, MetricsServer, PlatformModule } from '#wiring';
import { JobsModule } from './jobs.module.ts';
import { SweepsModule } from './sweeps.module.ts';

/** Everything that the worker is made of. */
@Module({})
export class WorkerModule {
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
        {
          provide: MetricsServer,
          useFactory: (registry: Registry) =>
            new MetricsServer(
              registry,
              settings.metrics.host,
              settings.metrics.workerPort,
              'WORKER_METRICS_',
            ),
          inject: [Registry],
        },
      ],
    };
  }
}
