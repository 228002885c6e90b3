import { Module } from '@nestjs/common';
import { FailTraining, ProcessTraining } from '#persona';
import { ImportPicture } from '#sources';
import { SourcesModule } from './sources.module.ts';
import { PersonaModule, trainings } from './persona.module.ts';
import { jobs, unitOfWork } from './platform.ts';
import { provide } from './provide.ts';

/** What fetches the pictures of trainings: for the worker alone. */
@Module({
  imports: [SourcesModule, PersonaModule],
  providers: [
    provide(FailTraining, trainings),
    provide(ProcessTraining, trainings, ImportPicture, jobs, unitOfWork),
  ],
  exports: [PersonaModule, FailTraining, ProcessTraining],
})
export class TrainingRunsModule {}
