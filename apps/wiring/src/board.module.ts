import { Module } from '@nestjs/common';
import { Database, PostgresBoards, PostgresBoardViews, PostgresFolders, PostgresMedia } from '#adapters/postgres';
import {
  Boards,
  Folders,
  MediaItems,
  PrepareMedia,
  ProcessMedia,
  type BoardStore,
  type BoardViews,
  type FolderStore,
  type MediaStore,
} from '#board';
import { Files, StoredUrls } from '#files';
import { Sources } from '#sources';
import { fileTypes, FilesModule } from './files.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideWith, token } from './provide.ts';
import { pictureDerivatives, SourcesModule, temporaryFolders, videos } from './sources.module.ts';
import { StorageModule } from './storage.module.ts';

export const boardViews = token<BoardViews>('BoardViews');
const boards = token<BoardStore>('BoardStore');
const folders = token<FolderStore>('FolderStore');
const media = token<MediaStore>('MediaStore');

/** Boards with their folders and media. */
@Module({
  imports: [FilesModule, StorageModule],
  providers: [
    provideAs(boards, PostgresBoards, Database),
    provideAs(boardViews, PostgresBoardViews, Database),
    provideAs(folders, PostgresFolders, Database),
    provideAs(media, PostgresMedia, Database),
    provide(Boards, boards, jobs, unitOfWork, clock),
    provide(Folders, folders, jobs, unitOfWork, clock),
    provideWith(MediaItems, { media, files: Files, jobs, unitOfWork, clock }),
  ],
  exports: [StorageModule, boardViews, media, Boards, Folders, MediaItems],
})
export class BoardModule {}

/** What prepares the media of boards: for the worker alone. */
@Module({
  imports: [BoardModule, FilesModule, SourcesModule],
  providers: [
    provideWith(PrepareMedia, {
      sources: Sources,
      urls: StoredUrls,
      fileTypes,
      derivatives: pictureDerivatives,
      videos,
      folders: temporaryFolders,
      jobs,
      unitOfWork,
    }),
    provide(ProcessMedia, media, PrepareMedia, jobs, unitOfWork),
  ],
  exports: [BoardModule, ProcessMedia],
})
export class BoardRunsModule {}
