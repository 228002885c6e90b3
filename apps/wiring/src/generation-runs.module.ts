import { Module } from '@nestjs/common';
import { EndGeneration, RunGeneration } from '#generation';
import { OpenPicture } from '#media';
import { StoreFile } from '#upload';
import { generationProviders, generations, GenerationModule } from './generation.module.ts';
import { MediaModule, temporaryFolders } from './media.module.ts';
import { PersonaModule, personas } from './persona.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide } from './provide.ts';
import { UploadModule } from './upload.module.ts';

/** What runs generations: for the worker alone. */
@Module({
  imports: [GenerationModule, MediaModule, PersonaModule, UploadModule],
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
