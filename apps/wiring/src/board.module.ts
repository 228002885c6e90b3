import { MagicFileTypes } from '#adapters/images';
import {
  Database,
  PostgresBoards,
  PostgresBoardViews,
  PostgresFolders,
  PostgresMedia,
  PostgresNotes,
  PostgresPictureNames,
  PostgresPlaces,
} from '#adapters/postgres';
import { BoardOrder, Boards, Folders, MediaItems, Notes, PrepareMedia, ProcessMedia, type BoardViews } from '#board';
import { Files, StoredUrls } from '#files';
import { DerivedFiles, PictureLooks, Sources } from '#sources';
import { eventLog, EventsModule } from './events.module.ts';
import { FilesModule } from './files.module.ts';
import { auditLog, clock, graceDays, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { SourcesModule, temporaryFolders } from './sources.module.ts';

export const boardViews = token<BoardViews>('BoardViews');

/** Boards with their folders and media. */
@SharedModule(
  [EventsModule, FilesModule],
  ...provideStores(PostgresBoards, PostgresFolders, PostgresMedia, PostgresNotes, PostgresPlaces),
  provideAs(boardViews, PostgresBoardViews, Database),
  provide(Boards, PostgresBoards, jobs, unitOfWork, clock, auditLog, eventLog, graceDays),
  provide(Folders, PostgresFolders, jobs, unitOfWork, clock, auditLog, graceDays),
  provide(BoardOrder, PostgresFolders, PostgresPlaces, unitOfWork),
  provide(Notes, PostgresFolders, PostgresNotes, PostgresPlaces, unitOfWork, clock),
  provideWith(MediaItems, {
    auditLog,
    media: PostgresMedia,
    files: Files,
    names: PostgresPictureNames,
    events: eventLog,
    jobs,
    unitOfWork,
    clock,
    graceDays,
  }),
)
export class BoardModule {}

/** Prepares the media of boards. Only the worker imports it. */
@SharedModule(
  [BoardModule, SourcesModule],
  provideWith(PrepareMedia, {
    sources: Sources,
    derived: DerivedFiles,
    looks: PictureLooks,
    urls: StoredUrls,
    fileTypes: MagicFileTypes,
    folders: temporaryFolders,
  }),
  provide(ProcessMedia, PostgresMedia, PrepareMedia, jobs, unitOfWork, clock, eventLog),
)
export class BoardRunsModule {}
