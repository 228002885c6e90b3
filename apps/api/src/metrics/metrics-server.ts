import type { Server } from 'node:http';
import { once } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import express from 'express';
import { Registry } from 'prom-client';
import type { Settings } from '#config';
import { settings } from '#wiring';

/** `/metrics` on METRICS_PORT, where only those who watch the service can reach it. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #registry: Registry;
  readonly #settings: Settings['metrics'];
  #server: Server | null = null;

  constructor(@Inject(Registry) registry: Registry, @Inject(settings) { metrics }: Settings) {
    this.#registry = registry;
    this.#settings = metrics;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host, port } = this.#settings;
    if (port === null) return;
    const app = express().disable('x-powered-by');
    app.get('/metrics', async (_request, response) => {
      response.type(this.#registry.contentType).send(await this.#registry.metrics());
    });
    this.#server = app.listen(port, host);
    await once(this.#server, 'listening');
  }

  onApplicationShutdown(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
