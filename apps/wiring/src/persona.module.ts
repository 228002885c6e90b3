import { Database, PostgresPersonaViews, PostgresTrainings } from '#adapters/postgres';
import { Files } from '#files';
import { TrainingProcessing, Trainings, type PersonaViews } from '#persona';
import { Sources } from '#sources';
import { DefaultPersonaModule, personaStore } from './default-persona.module.ts';
import { FilesModule } from './files.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, SharedModule, token } from './provide.ts';
import { SourcesModule } from './sources.module.ts';

export const personaViews = token<PersonaViews>('PersonaViews');

/** Personas and their trainings. */
@SharedModule(
  [DefaultPersonaModule, FilesModule],
  provide(PostgresTrainings, Database),
  provideAs(personaViews, PostgresPersonaViews, Database),
  provide(Trainings, personaStore, PostgresTrainings, Files, jobs, unitOfWork, clock),
)
export class PersonaModule {}

/** Processing of trainings. Only the worker imports it, because it fetches pictures. */
@SharedModule(
  [SourcesModule, PersonaModule],
  provide(TrainingProcessing, personaStore, PostgresTrainings, Sources, jobs, unitOfWork, clock),
)
export class TrainingRunsModule {}
