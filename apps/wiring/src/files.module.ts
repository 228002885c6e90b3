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
  FileSweep,
  MIN_PART_BYTES,
  StorageReconciliation,
  StoredUrls,
  Uploads,
  type DiscardedFiles,
  type FileRecords,
  type FileTypes,
  type StorageRecords,
  type UploadRecords,
  type UploadRules,
} from '#files';
import { clock, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideWith, token } from './provide.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

export const fileRecords = token<FileRecords>('FileRecords');
export const fileTypes = token<FileTypes>('FileTypes');
const discardedFiles = token<DiscardedFiles>('DiscardedFiles');
const storageRecords = token<StorageRecords>('StorageRecords');
const uploadRecords = token<UploadRecords>('UploadRecords');
const uploadRules = token<UploadRules>('UploadRules');
const batchSize = token<number>('FilesBatchSize');
const deletionParts = {
  discarded: discardedFiles,
  uploads: uploadRecords,
  storage: objectStorage,
  unitOfWork,
  clock,
  batchSize,
};

/** Files: uploaded, stored, resolved, and deleted when nothing needs them any more. */
@Module({
  imports: [StorageModule],
  providers: [
    provideAs(discardedFiles, PostgresDiscardedFiles, Database),
    provideAs(fileRecords, PostgresFileRecords, Database),
    provideAs(fileTypes, MagicFileTypes),
    provideAs(storageRecords, PostgresStorageRecords, Database),
    provideAs(uploadRecords, PostgresUploadRecords, Database),
    { provide: uploadRules, useFactory: uploadRulesOf, inject: [settings] },
    { provide: batchSize, useValue: 1000 },
    provideWith(FileDeletion, { ...deletionParts, jobs }),
    provideWith(FileSweep, { ...deletionParts, deletion: FileDeletion }),
    provideWith(Uploads, {
      records: uploadRecords,
      storage: objectStorage,
      urls: StoredUrls,
      fileTypes,
      rules: uploadRules,
      clock,
    }),
    provide(Files, fileRecords, uploadRecords, objectStorage, StoredUrls, clock),
    provide(StorageReconciliation, objectStorage, storageRecords, clock),
  ],
  exports: [StorageModule, fileRecords, fileTypes, FileDeletion, Files, FileSweep, StorageReconciliation, Uploads],
})
export class FilesModule {}

function uploadRulesOf({ uploads }: Settings): UploadRules {
  return {
    maxBytes: uploads.maxBytes,
    urlTtlSeconds: uploads.urlTtlSeconds,
    temporaryTtlSeconds: uploads.tempFileTtlSeconds,
    minPartBytes: MIN_PART_BYTES,
  };
}
