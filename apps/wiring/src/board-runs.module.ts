import { Module } from '@nestjs/common';
import { ProcessMedia } from '#board';
import { PrepareMedia } from '#sources';
import { BoardModule, mediaItems } from './board.module.ts';
import { SourcesModule } from './sources.module.ts';
import { jobs, unitOfWork } from './platform.ts';
import { provide } from './provide.ts';

/** What prepares the media of boards: for the worker alone. */
@Module({
  imports: [BoardModule, SourcesModule],
  providers: [provide(ProcessMedia, mediaItems, PrepareMedia, jobs, unitOfWork)],
  exports: [BoardModule, ProcessMedia],
})
export class BoardRunsModule {}
