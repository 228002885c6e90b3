import {
  Database,
  PostgresLibraryDeletions,
  PostgresLibraryMarks,
  PostgresLibraryViews,
  PostgresLibraryWork,
  PostgresSavedSearches,
} from '#adapters/postgres';
import {
  Library,
  LibraryCompletion,
  LibraryDeletion,
  SavedSearches,
  type LibraryViews,
  type SavedSearchStore,
} from '#library';
import { DerivedFiles } from '#sources';
import { auditLog, clock, graceDays, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideWith, SharedModule, token } from './provide.ts';
import { maxBytes, SourcesModule, temporaryFolders } from './sources.module.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

export const libraryViews = token<LibraryViews>('LibraryViews');
export const savedSearchStore = token<SavedSearchStore>('SavedSearchStore');

/** Search, tags, ratings and deletion of the workspace's files. */
@SharedModule(
  [StorageModule],
  provide(PostgresLibraryMarks, Database),
  provideAs(libraryViews, PostgresLibraryViews, Database),
  provideAs(savedSearchStore, PostgresSavedSearches, Database),
  provide(Library, PostgresLibraryMarks, unitOfWork),
  provide(PostgresLibraryDeletions, Database),
  provideWith(LibraryDeletion, { deletions: PostgresLibraryDeletions, jobs, unitOfWork, clock, auditLog, graceDays }),
  provide(SavedSearches, savedSearchStore, unitOfWork, clock, auditLog),
)
export class LibraryModule {}

/** Completes the library. Only the worker imports it. */
@SharedModule(
  [SourcesModule],
  provide(PostgresLibraryWork, Database),
  provideWith(LibraryCompletion, {
    work: PostgresLibraryWork,
    storage: objectStorage,
    derived: DerivedFiles,
    folders: temporaryFolders,
    clock,
    maxBytes,
  }),
)
export class LibraryCompletionModule {}
