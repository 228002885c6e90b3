import {
  Database,
  PostgresLibraryDeletions,
  PostgresLibraryMarks,
  PostgresPictureNames,
  PostgresLibraryViews,
  PostgresLibraryWork,
  PostgresSavedSearches,
} from '#adapters/postgres';
import {
  Library,
  LibraryDeletion,
  LibraryFilling,
  SavedSearches,
  type LibraryViews,
  type SavedSearchStore,
} from '#library';
import { auditLog, clock, graceDays, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideWith, SharedModule, token } from './provide.ts';
import { FilesModule } from './files.module.ts';
import { StorageModule } from './storage.module.ts';

export const libraryViews = token<LibraryViews>('LibraryViews');
export const savedSearchStore = token<SavedSearchStore>('SavedSearchStore');

/** Search, tags, ratings and deletion of the workspace's files. */
@SharedModule(
  [FilesModule, StorageModule],
  provide(PostgresLibraryMarks, Database),
  provideAs(libraryViews, PostgresLibraryViews, Database),
  provideAs(savedSearchStore, PostgresSavedSearches, Database),
  provide(Library, PostgresLibraryMarks, PostgresPictureNames, unitOfWork),
  provide(PostgresLibraryDeletions, Database),
  provideWith(LibraryDeletion, { deletions: PostgresLibraryDeletions, jobs, unitOfWork, clock, auditLog, graceDays }),
  provide(SavedSearches, savedSearchStore, unitOfWork, clock, auditLog),
)
export class LibraryModule {}

/** Adds older files to the library. Only the worker imports it. */
@SharedModule([], provide(PostgresLibraryWork, Database), provide(LibraryFilling, PostgresLibraryWork, clock))
export class LibraryFillingModule {}
