import { Inject, Logger, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import {
  Database,
  PostgresGenerations,
  PostgresGenerationSignals,
  PostgresGenerationViews,
  PostgresPersonaSlots,
} from '#adapters/postgres';
import { createProviders } from '#adapters/providers';
import type { Settings } from '#config';
import { Files, StoredUrls } from '#files';
import {
  GenerationRuns,
  Generations,
  GenerationWatch,
  ModelCatalog,
  type GenerationProvider,
  type GenerationStore,
  type GenerationViews,
  type PersonaSlots,
} from '#generation';
import { Sources } from '#sources';
import { creditLedger, CreditsModule } from './credits.module.ts';
import { FilesModule } from './files.module.ts';
import { IdentityModule, plans } from './identity.module.ts';
import { measureProviders } from './metrics/measured-provider.ts';
import { PersonaModule, personaStore } from './persona.module.ts';
import { clock, jobs, postgres, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, provideWith, token } from './provide.ts';
import { SourcesModule, temporaryFolders } from './sources.module.ts';
import { StorageModule } from './storage.module.ts';

const generationProviders = token<readonly GenerationProvider[]>('GenerationProviders');
const generationStore = token<GenerationStore>('GenerationStore');
export const generationViews = token<GenerationViews>('GenerationViews');
const personaSlots = token<PersonaSlots>('PersonaSlots');

/** Generations, except for running them. */
@Module({
  imports: [CreditsModule, FilesModule, IdentityModule, StorageModule],
  providers: [
    { provide: generationProviders, useFactory: openProviders, inject: [settings, Registry] },
    provideMade(ModelCatalog, [generationProviders], (all) => new ModelCatalog(all.flatMap(({ models }) => models))),
    provideAs(generationStore, PostgresGenerations, Database),
    provideAs(generationViews, PostgresGenerationViews, Database),
    provideAs(personaSlots, PostgresPersonaSlots, Database),
    provideMade(PostgresGenerationSignals, [postgres], ({ pool }) => new PostgresGenerationSignals(pool)),
    provideWith(Generations, {
      models: ModelCatalog,
      personaSlots,
      files: Files,
      urls: StoredUrls,
      store: generationStore,
      ledger: creditLedger,
      plans,
      jobs,
      unitOfWork,
      clock,
    }),
    provide(GenerationWatch, PostgresGenerationSignals, generationViews),
  ],
  exports: [generationProviders, generationStore, generationViews, Generations, GenerationWatch, ModelCatalog],
})
export class GenerationModule implements BeforeApplicationShutdown {
  constructor(@Inject(PostgresGenerationSignals) private readonly signals: PostgresGenerationSignals) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.signals.close();
  }
}

/** Runs of generations: for the worker alone. */
@Module({
  imports: [FilesModule, GenerationModule, PersonaModule, SourcesModule, StorageModule],
  providers: [
    provideWith(GenerationRuns, {
      generations: Generations,
      store: generationStore,
      providers: generationProviders,
      sources: Sources,
      files: Files,
      urls: StoredUrls,
      personas: personaStore,
      folders: temporaryFolders,
      jobs,
      unitOfWork,
      clock,
    }),
  ],
  exports: [GenerationModule, GenerationRuns],
})
export class GenerationRunsModule {}

async function openProviders({ models }: Settings, registry: Registry): Promise<readonly GenerationProvider[]> {
  const logger = new Logger('GenerationProviders');
  const warn = (message: string): void => logger.warn(message);
  return measureProviders(await createProviders(warn, models), registry);
}
