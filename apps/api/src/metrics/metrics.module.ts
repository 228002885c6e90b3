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
        // The lag of the event loop is sampled by waking up: not a hundred times a second, as is the default.
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
        return registry;
      },
    },
  ],
  exports: [Registry],
})
export class MetricsModule {}
