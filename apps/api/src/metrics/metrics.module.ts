import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { MetricsController } from './metrics.controller.ts';
import { MetricsServer } from './metrics-server.ts';

/** Prometheus metrics; whoever has something to measure registers it with the `Registry`. */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [
    MetricsServer,
    {
      provide: Registry,
      useFactory: () => {
        const registry = new Registry();
        collectDefaultMetrics({ register: registry });
        return registry;
      },
    },
  ],
  exports: [Registry],
})
export class MetricsModule {}
