import { Module } from '@nestjs/common';
import { MagicFileTypes } from '#adapters/images';
import {
  Database,
  PostgresDiscardedFiles,
  PostgresFileRecords,
  PostgresStorageRecords,
  PostgresUploadRecords,
} from '#adapters/postgres';
import type { Settings } from '#config';
import {
  FileDeletion,
  Files,
  MIN_PART_BYTES,
  StorageReconciliation,
  StoredUrls,
  Uploads,
  type FileRecords,
  type FileTypes,
  type UploadRules,
} from '#files';
import { clock, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, provideWith, token } from './provide.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

export const fileRecords = token<FileRecords>('FileRecords');
export const fileTypes = token<FileTypes>('FileTypes');

/** Files: uploaded, stored, resolved, and deleted when nothing needs them any more. */
@Module({
  imports: [StorageModule],
  providers: [
    provideAs(fileRecords, PostgresFileRecords, Database),
    provideAs(fileTypes, MagicFileTypes),
    provide(PostgresDiscardedFiles, Database),
    provide(PostgresStorageRecords, Database),
    provide(PostgresUploadRecords, Database),
    provideWith(FileDeletion, {
      discarded: PostgresDiscardedFiles,
      uploads: PostgresUploadRecords,
      storage: objectStorage,
      jobs,
      unitOfWork,
      clock,
    }),
    provideMade(
      Uploads,
      [PostgresUploadRecords, objectStorage, StoredUrls, fileTypes, settings, clock],
      (records, storage, urls, types, { uploads }, time) =>
        new Uploads({ records, storage, urls, fileTypes: types, rules: uploadRulesOf(uploads), clock: time }),
    ),
    provide(Files, fileRecords, PostgresUploadRecords, objectStorage, StoredUrls, clock),
    provide(StorageReconciliation, objectStorage, PostgresStorageRecords, clock),
  ],
  exports: [StorageModule, fileRecords, fileTypes, FileDeletion, Files, StorageReconciliation, Uploads],
})
export class FilesModule {}

function uploadRulesOf({ maxBytes, urlTtlSeconds, tempFileTtlSeconds }: Settings['uploads']): UploadRules {
  return { maxBytes, urlTtlSeconds, temporaryTtlSeconds: tempFileTtlSeconds, minPartBytes: MIN_PART_BYTES };
}
