import { Controller, Get, Inject, NotFoundException, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import type { Settings } from '#config';
import { settings } from '#wiring';
import { Public, Unlimited } from '../http/index.ts';

/** `/metrics` beside the API, unless it has a port of its own. */
@Controller('metrics')
export class MetricsController {
  readonly #registry: Registry;
  readonly #isElsewhere: boolean;

  constructor(@Inject(Registry) registry: Registry, @Inject(settings) { metrics }: Settings) {
    this.#registry = registry;
    this.#isElsewhere = metrics.port !== null;
  }

  @Get()
  @Public()
  @Unlimited()
  async show(@Res() response: Response): Promise<void> {
    if (this.#isElsewhere) throw new NotFoundException();
    response.type(this.#registry.contentType).send(await this.#registry.metrics());
  }
}
