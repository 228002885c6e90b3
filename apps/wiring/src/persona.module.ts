import { Database, PostgresPersonas, PostgresPersonaViews, PostgresTrainings } from '#adapters/postgres';
import { Files } from '#files';
import type { AccountHook } from '#identity';
import { Personas, TrainingProcessing, Trainings, type PersonaStore, type PersonaViews } from '#persona';
import { Sources } from '#sources';
import { FilesModule } from './files.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, SharedModule, token } from './provide.ts';
import { SourcesModule } from './sources.module.ts';

export const personaStore = token<PersonaStore>('PersonaStore');
export const personaViews = token<PersonaViews>('PersonaViews');
/** Creates the persona that every new account has. */
export const defaultPersona = token<AccountHook>('DefaultPersona');

/** Personas and their trainings. */
@SharedModule(
  [FilesModule],
  provideAs(personaStore, PostgresPersonas, Database),
  provide(PostgresTrainings, Database),
  provideAs(personaViews, PostgresPersonaViews, Database),
  provide(Personas, personaStore, jobs, unitOfWork, clock),
  provide(Trainings, personaStore, PostgresTrainings, Files, jobs, unitOfWork, clock),
  provideMade(defaultPersona, [Personas], (personas): AccountHook => {
    return ({ user, workspaceId }) => personas.createDefault({ userId: user.id, workspaceId });
  }),
)
export class PersonaModule {}

/** Processing of trainings: for the worker alone, which fetches pictures. */
@SharedModule([SourcesModule, PersonaModule], provide(TrainingProcessing, PostgresTrainings, Sources, jobs, unitOfWork))
export class TrainingRunsModule {}
