import { Controller, Get, Inject, Module, NotFoundException, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { Database } from '#adapters/postgres';
import type { Settings } from '#config';
import { measureJobs, MetricsServer, MetricsText, provideMade, RegistryModule, settings } from '#wiring';
import { Public, Unlimited } from '../http/index.ts';

/** Serves `/metrics` beside the API, unless the metrics have a port of their own. */
@Controller('metrics')
export class MetricsController {
  constructor(
    @Inject(MetricsText) private readonly metrics: MetricsText,
    @Inject(settings) private readonly values: Settings,
  ) {}

  @Get()
  @Public()
  @Unlimited()
  async show(@Res() response: Response): Promise<void> {
    if (this.values.metrics.port !== null) throw new NotFoundException();
    response.type(this.metrics.contentType).send(await this.metrics.read());
  }
}

/** Prometheus metrics of this process, and of the state of all jobs. */
@Module({
  imports: [RegistryModule],
  controllers: [MetricsController],
  providers: [
    provideMade(MetricsServer, [Registry, MetricsText, Database, settings], (registry, text, database, { metrics }) => {
      measureJobs(database, registry);
      return new MetricsServer(text, metrics.host, metrics.port, 'METRICS_');
    }),
  ],
})
export class MetricsModule {}
