import type { Server } from 'node:http';
import { once } from 'node:events';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import express from 'express';
import type { Registry } from 'prom-client';
import { listenRefusal } from '#process';

/** `/metrics` on a port of its own, where only those who watch the service can reach it. */
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #registry: Registry;
  readonly #host: string;
  readonly #port: number | null;
  readonly #portSetting: string;
  #server: Server | null = null;

  /**
   * @param port `null` for none
   * @param portSetting the variable that it comes from, without its `PORT`
   */
  constructor(registry: Registry, host: string, port: number | null, portSetting: string) {
    this.#registry = registry;
    this.#host = host;
    this.#port = port;
    this.#portSetting = portSetting;
  }

  /** @throws StartError when it can't listen there */
  async onApplicationBootstrap(): Promise<void> {
    if (this.#port === null) return;
    const app = express().disable('x-powered-by');
    app.get('/metrics', async (_request, response) => {
      response.type(this.#registry.contentType).send(await this.#registry.metrics());
    });
    this.#server = app.listen(this.#port, this.#host);
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      const isPort = code === 'EADDRINUSE' || code === 'EACCES';
      throw listenRefusal(this.#host, this.#port, code, isPort ? this.#portSetting : 'METRICS_');
    }
  }

  onApplicationShutdown(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
