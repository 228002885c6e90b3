import type { Server } from 'node:http';
import { once } from 'node:events';
import { Global, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import express from 'express';
import { collectDefaultMetrics, Gauge, Registry, type RegistryContentType } from 'prom-client';
import { listenRefusal, RELEASE } from '#process';
import { provide, provideMade, SharedModule } from '../provide.ts';
import { cached } from './cached.ts';

const SHARED_MS = 1000;

/** The metrics as text, collected at most once a second. */
export class MetricsText {
  readonly contentType: string;
  readonly read: () => Promise<string>;

  constructor(registry: Registry<RegistryContentType>) {
    this.contentType = registry.contentType;
    this.read = cached(() => registry.metrics(), SHARED_MS);
  }
}

/** The metrics registry of the process. */
@Global()
@SharedModule(
  [],
  provide(MetricsText, Registry),
  provideMade(Registry, [], () => {
    const registry = new Registry();
    // Each sample of the event loop's lag wakes the process: the default is a hundred times a second.
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
    const help = 'What runs: 1, with its version and commit as labels.';
    const build = new Gauge({ name: 'x12_build_info', help, labelNames: ['version', 'commit'], registers: [registry] });
    build.set({ version: RELEASE.version, commit: RELEASE.commit ?? '' }, 1);
    return registry;
  }),
)
export class RegistryModule {}

/** Serves `/metrics` on its own port, which only operators can reach. */
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  #server: Server | null = null;

  /**
   * @param port `null` for none
   * @param prefix the prefix of the variable `PORT`
   */
  constructor(
    private readonly metrics: MetricsText,
    private readonly host: string,
    private readonly port: number | null,
    private readonly prefix: string,
  ) {}

  /** @throws StartError when the port can't be used */
  async onApplicationBootstrap(): Promise<void> {
    if (this.port === null) return;
    const app = express().disable('x-powered-by');
    app.get('/metrics', async (_request, response) => {
      response.type(this.metrics.contentType).send(await this.metrics.read());
    });
    this.#server = app.listen(this.port, this.host);
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      const isPort = code === 'EADDRINUSE' || code === 'EACCES';
      throw listenRefusal(this.host, this.port, code, isPort ? this.prefix : 'METRICS_');
    }
  }

  onApplicationShutdown(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
