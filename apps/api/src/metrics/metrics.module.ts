import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Database } from '#adapters/postgres';
import type { Settings } from '#config';
import { measureJobs, MetricsServer, RegistryModule, settings } from '#wiring';
import { MetricsController } from './metrics.controller.ts';

/** Prometheus metrics: what this process measures, and how the jobs of all of them stand. */
@Module({
  imports: [RegistryModule],
  controllers: [MetricsController],
  providers: [
    {
      provide: MetricsServer,
      useFactory: (registry: Registry, database: Database, { metrics }: Settings) => {
        measureJobs(database, registry);
        return new MetricsServer(registry, metrics.host, metrics.port, 'METRICS_');
      },
      inject: [Registry, Database, settings],
    },
  ],
})
export class MetricsModule {}
