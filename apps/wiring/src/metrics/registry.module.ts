import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** What the process measures; whoever has something to measure registers it here. */
@Global()
@Module({
  providers: [
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
export class RegistryModule {}
