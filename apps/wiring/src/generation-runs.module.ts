import { Module } from '@nestjs/common';
import { EndGeneration, RunGeneration } from '#generation';
import { OpenPicture } from '#sources';
import { StoreFile } from '#files';
import { generationProviders, generations, GenerationModule } from './generation.module.ts';
import { SourcesModule, temporaryFolders } from './sources.module.ts';
import { PersonaModule, personas } from './persona.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide } from './provide.ts';
import { FilesModule } from './files.module.ts';

/** What runs generations: for the worker alone. */
@Module({
  imports: [GenerationModule, SourcesModule, PersonaModule, FilesModule],
  providers: [
    provide(
      RunGeneration,
      generations,
      generationProviders,
      OpenPicture,
      StoreFile,
      personas,
      temporaryFolders,
      EndGeneration,
      jobs,
      unitOfWork,
      clock,
    ),
  ],
  exports: [GenerationModule, RunGeneration],
})
export class GenerationRunsModule {}
