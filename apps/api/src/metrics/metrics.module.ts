import { Controller, Get, Inject, Module, NotFoundException, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Gauge, Registry, type RegistryContentType } from 'prom-client';
import type { Settings } from '#config';
import {
  measureJobs,
  measureProcess,
  MetricsServer,
  MetricsText,
  postgres,
  provideMade,
  RegistryModule,
  settings,
} from '#wiring';
import { runningZips } from '../download/send-chunks.ts';
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

function measureZips(registry: Registry<RegistryContentType>): void {
  new Gauge({
    name: 'x12_running_zips',
    help: 'Zips that are being sent to members and guests.',
    registers: [registry],
    collect() {
      this.set(runningZips());
    },
  });
}

/** Prometheus metrics of this process, and of the state of all jobs. */
@Module({
  imports: [RegistryModule],
  controllers: [MetricsController],
  providers: [
    provideMade(MetricsServer, [Registry, MetricsText, postgres, settings], (registry, text, connection, values) => {
      measureJobs(connection.database, registry);
      measureProcess(connection, values, registry);
      measureZips(registry);
      const { host, port } = values.metrics;
      return new MetricsServer(text, host, port, 'METRICS_');
    }),
  ],
})
export class MetricsModule {}
