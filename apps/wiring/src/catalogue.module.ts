import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Registry } from 'prom-client';
import { AjvParameterCheck, type Catalog } from '#adapters/catalog';
import {
  PostgresCatalogue,
  PostgresMembers,
  PostgresModelUses,
  PostgresPausedProviders,
  PostgresVendorDoubts,
} from '#adapters/postgres';
import { createProviders, HttpVendorSchemas, knownEndOf } from '#adapters/providers';
import {
  CatalogueChanges,
  GoneModels,
  LiveCatalogue,
  ModelNews,
  ModelProposals,
  ModelWarnings,
  ProviderPauses,
  type CatalogueRules,
  type Model,
  type Models,
  type ProviderSettings,
} from '#catalogue';
import type { GenerationProvider, RemoteProvider, RemoteProviders } from '#generation';
import { eventLog, EventsModule } from './events.module.ts';
import { entryRules, readCatalogue } from './catalogue.ts';
import { measureProviders } from './metrics/measured-provider.ts';
import { auditLog, clock, sealer, settings, tracing, unitOfWork } from './platform.ts';
import { provide, provideMade, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { rateCounters } from './rate-counters.ts';
import { providerOpener } from './remote-providers.ts';
import { traceProviders } from './traces.ts';

/** The providers of this machine. */
export const generationProviders = token<readonly GenerationProvider[]>('GenerationProviders');
/** The vendors of the catalogue. */
export const remoteProviders = token<RemoteProviders>('RemoteProviders');
/** The models of the catalogue. */
export const models = token<Models>('Models');
const catalogueRules = token<CatalogueRules>('CatalogueRules');
/** The models and providers of the file, the environment and this machine, read once in each process. */
const fixedCatalogue = token<Catalog>('FixedCatalogue');
const openCatalogue = token<{ live: LiveCatalogue; remotes: RemoteProviders }>('OpenCatalogue');
const openRemote = token<(provider: ProviderSettings) => Promise<RemoteProvider>>('OpenRemote');
const logger = new Logger('Catalogue');

/** How often a process looks whether the catalogue has changed. */
const FOLLOW_MS = 2_000;

/** The models that can be used, and the providers that make them. */
@SharedModule(
  [EventsModule],
  provideMade(generationProviders, [settings, Registry, tracing], async ({ models }, registry, traces) => {
    const warn = (message: string): void => new Logger('GenerationProviders').warn(message);
    return measureProviders(traceProviders(await createProviders(warn, models), traces), registry);
  }),
  provideMade(fixedCatalogue, [settings, AjvParameterCheck], readCatalogue),
  provide(AjvParameterCheck),
  provideMade(catalogueRules, [AjvParameterCheck], entryRules),
  ...provideStores(
    PostgresCatalogue,
    PostgresMembers,
    PostgresModelUses,
    PostgresPausedProviders,
    PostgresVendorDoubts,
  ),
  provideMade(openRemote, [settings, rateCounters, Registry, tracing, ProviderPauses], providerOpener),
  provideMade(
    openCatalogue,
    [fixedCatalogue, PostgresCatalogue, catalogueRules, sealer, generationProviders, openRemote],
    async (fixed, store, rules, opens, local, open) => {
      const remotes = new Map<string, RemoteProvider>();
      const live = new LiveCatalogue({
        fixed,
        store,
        rules,
        sealer: opens,
        isAvailable: (model) => canRun(local, model),
        openProvider: async (provider) => void remotes.set(provider.id, await open(provider)),
        closeProvider: (id) => void remotes.delete(id),
        warn: (message) => logger.warn(message),
      });
      await live.open();
      return { live, remotes };
    },
  ),
  { provide: models, useExisting: LiveCatalogue },
  provideMade(LiveCatalogue, [openCatalogue], ({ live }) => live),
  provideMade(remoteProviders, [openCatalogue], ({ remotes }) => remotes),
  provideMade(ModelProposals, [settings, LiveCatalogue], ({ fetch }, live) => {
    const limits = { allowedHosts: fetch.allowedHosts, maxOutputBytes: fetch.maxBytes };
    return new ModelProposals(live, new HttpVendorSchemas(limits), knownEndOf);
  }),
  provideWith(GoneModels, { doubts: PostgresVendorDoubts, news: ModelNews, auditLog, clock }),
  provide(ModelNews, PostgresModelUses, eventLog),
  provide(ModelWarnings, models, ModelNews, clock),
  provide(ProviderPauses, PostgresPausedProviders, PostgresMembers, eventLog, unitOfWork, clock),
  provideWith(CatalogueChanges, {
    store: PostgresCatalogue,
    rules: catalogueRules,
    fixed: fixedCatalogue,
    sealer,
    auditLog,
    unitOfWork,
    clock,
  }),
)
export class CatalogueModule implements OnModuleInit, BeforeApplicationShutdown {
  readonly #stopped = new AbortController();

  constructor(@Inject(LiveCatalogue) private readonly catalogue: LiveCatalogue) {}

  async onModuleInit(): Promise<void> {
    await this.#refresh();
    void this.#follow();
  }

  beforeApplicationShutdown(): void {
    this.#stopped.abort();
  }

  /** Follows the catalogue: a change by an operator acts on every process within seconds. */
  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    for (;;) {
      await sleep(FOLLOW_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#refresh();
    }
  }

  async #refresh(): Promise<void> {
    await this.catalogue
      .refresh()
      .catch((error: unknown) => logger.warn({ err: error }, 'the catalogue cannot be read; it stays as it was'));
  }
}

/** Reports whether the machine can run a model. */
function canRun(local: readonly GenerationProvider[], { provider, target }: Model): boolean {
  const own = local.find(({ id }) => id === provider);
  return !own || own.models.some((model) => model.target === target);
}
