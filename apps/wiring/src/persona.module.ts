import { Module } from '@nestjs/common';
import { Database, PostgresPersonas, PostgresTrainings } from '#adapters/postgres';
import type { Arrival } from '#identity';
import {
  CreatePersona,
  DeletePersona,
  ListPersonas,
  ListTrainings,
  makeDefaultPersona,
  ReadPersona,
  ReadTraining,
  RemoveTraining,
  SaveTraining,
  UpdatePersona,
  UpdateTraining,
  type Personas,
  type Trainings,
} from '#persona';
import { AdoptFile } from '#files';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';
import { objectStorage } from './storage.module.ts';
import { files, FilesModule } from './files.module.ts';

export const personas = token<Personas>('Personas');
export const trainings = token<Trainings>('Trainings');
/** The persona that every newcomer finds. */
export const defaultPersona = token<Arrival>('DefaultPersona');

/** Personas, and the pictures in their slots and among their likes. */
@Module({
  imports: [FilesModule],
  providers: [
    provideAs(personas, PostgresPersonas, Database),
    provideAs(trainings, PostgresTrainings, Database),
    { provide: defaultPersona, useFactory: makeDefaultPersona, inject: [personas, clock] },
    provide(CreatePersona, personas, objectStorage, clock),
    provide(DeletePersona, personas, jobs, unitOfWork, clock),
    provide(ListPersonas, personas),
    provide(ListTrainings, trainings, objectStorage),
    provide(ReadPersona, personas, objectStorage),
    provide(ReadTraining, trainings, objectStorage),
    provide(RemoveTraining, personas, trainings, jobs, unitOfWork),
    provide(SaveTraining, personas, trainings, AdoptFile, objectStorage, jobs, unitOfWork, clock),
    provide(UpdatePersona, personas, objectStorage, clock),
    provide(UpdateTraining, trainings, files, AdoptFile, objectStorage, jobs, unitOfWork),
  ],
  exports: [
    personas,
    trainings,
    defaultPersona,
    CreatePersona,
    DeletePersona,
    ListPersonas,
    ListTrainings,
    ReadPersona,
    ReadTraining,
    RemoveTraining,
    SaveTraining,
    UpdatePersona,
    UpdateTraining,
  ],
})
export class PersonaModule {}
