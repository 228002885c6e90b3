import { Inject, Logger, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import {
  Database,
  PostgresGenerations,
  PostgresGenerationSignals,
  PostgresGenerationViews,
  PostgresPersonaSlots,
  type PostgresConnection,
} from '#adapters/postgres';
import { createProviders } from '#adapters/providers';
import {
  CancelGeneration,
  EndGeneration,
  GiveUpGeneration,
  ModelCatalog,
  RequestGeneration,
  WatchGeneration,
  type GenerationProvider,
  type Generations,
  type GenerationViews,
  type PersonaSlots,
} from '#generation';
import type { Settings } from '#config';
import { AdoptFile } from '#files';
import { creditLedger, CreditsModule } from './credits.module.ts';
import { IdentityModule, plans } from './identity.module.ts';
import { measureProviders } from './metrics/measured-provider.ts';
import { clock, jobs, postgres, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';
import { objectStorage } from './storage.module.ts';
import { FilesModule } from './files.module.ts';

export const generationProviders = token<readonly GenerationProvider[]>('GenerationProviders');
export const generations = token<Generations>('Generations');
export const generationViews = token<GenerationViews>('GenerationViews');
const personaSlots = token<PersonaSlots>('PersonaSlots');

/** Generations from call to end, except for running them. */
@Module({
  imports: [CreditsModule, IdentityModule, FilesModule],
  providers: [
    { provide: generationProviders, useFactory: openProviders, inject: [settings, Registry] },
    { provide: ModelCatalog, useFactory: catalogOf, inject: [generationProviders] },
    provideAs(generations, PostgresGenerations, Database),
    provideAs(generationViews, PostgresGenerationViews, Database, objectStorage),
    provideAs(personaSlots, PostgresPersonaSlots, Database, objectStorage),
    { provide: PostgresGenerationSignals, useFactory: openSignals, inject: [postgres] },
    provide(CancelGeneration, generations, EndGeneration, unitOfWork, clock),
    provide(EndGeneration, generations, creditLedger, jobs),
    provide(GiveUpGeneration, generations, EndGeneration, unitOfWork, clock),
    provide(
      RequestGeneration,
      ModelCatalog,
      personaSlots,
      AdoptFile,
      generations,
      creditLedger,
      plans,
      jobs,
      unitOfWork,
      clock,
    ),
    provide(WatchGeneration, PostgresGenerationSignals, generationViews),
  ],
  exports: [
    generationProviders,
    generations,
    generationViews,
    CancelGeneration,
    EndGeneration,
    GiveUpGeneration,
    ModelCatalog,
    RequestGeneration,
    WatchGeneration,
  ],
})
export class GenerationModule implements BeforeApplicationShutdown {
  readonly #signals: PostgresGenerationSignals;

  constructor(@Inject(PostgresGenerationSignals) signals: PostgresGenerationSignals) {
    this.#signals = signals;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#signals.close();
  }
}

async function openProviders(
  { models }: Settings,
  registry: Registry,
): Promise<readonly GenerationProvider[]> {
  const logger = new Logger('GenerationProviders');
  const warn = (message: string): void => logger.warn(message);
  return measureProviders(await createProviders({ warn, ...models }), registry);
}

function catalogOf(providers: readonly GenerationProvider[]): ModelCatalog {
  return new ModelCatalog(providers.flatMap(({ models }) => models));
}

function openSignals({ pool }: PostgresConnection): PostgresGenerationSignals {
  return new PostgresGenerationSignals(pool);
}
