import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** The registry of the metrics of the process. */
@Global()
@Module({
  providers: [
    {
      provide: Registry,
      useFactory: () => {
        const registry = new Registry();
        // Sampling the lag of the event loop wakes the process up: the default is a hundred times a second.
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
        return registry;
      },
    },
  ],
  exports: [Registry],
})
export class RegistryModule {}
