import { Module } from '@nestjs/common';
import { Database, PostgresPersonas, PostgresPersonaViews, PostgresTrainings } from '#adapters/postgres';
import { Files } from '#files';
import type { AccountHook } from '#identity';
import {
  Personas,
  TrainingProcessing,
  Trainings,
  type PersonaStore,
  type PersonaViews,
  type TrainingStore,
} from '#persona';
import { Sources } from '#sources';
import { FilesModule } from './files.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';
import { SourcesModule } from './sources.module.ts';

export const personaStore = token<PersonaStore>('PersonaStore');
const trainingStore = token<TrainingStore>('TrainingStore');
export const personaViews = token<PersonaViews>('PersonaViews');
/** Creates the persona that every new account has. */
export const defaultPersona = token<AccountHook>('DefaultPersona');

/** Personas and their trainings. */
@Module({
  imports: [FilesModule],
  providers: [
    provideAs(personaStore, PostgresPersonas, Database),
    provideAs(trainingStore, PostgresTrainings, Database),
    provideAs(personaViews, PostgresPersonaViews, Database),
    provide(Personas, personaStore, jobs, unitOfWork, clock),
    provide(Trainings, personaStore, trainingStore, Files, jobs, unitOfWork, clock),
    { provide: defaultPersona, useFactory: defaultPersonaOf, inject: [Personas] },
  ],
  exports: [FilesModule, personaStore, trainingStore, personaViews, defaultPersona, Personas, Trainings],
})
export class PersonaModule {}

function defaultPersonaOf(personas: Personas): AccountHook {
  return ({ user, workspaceId }) => personas.createDefault({ userId: user.id, workspaceId });
}

/** Processing of trainings: for the worker alone, which fetches pictures. */
@Module({
  imports: [SourcesModule, PersonaModule],
  providers: [provide(TrainingProcessing, trainingStore, Sources, jobs, unitOfWork)],
  exports: [PersonaModule, TrainingProcessing],
})
export class TrainingRunsModule {}
