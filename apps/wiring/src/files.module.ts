import { Module } from '@nestjs/common';
import { MagicFileTypes } from '#adapters/images';
import {
  Database,
  PostgresDiscardedFiles,
  PostgresFiles,
  PostgresStorageRecords,
  PostgresUploads,
} from '#adapters/postgres';
import type { Settings } from '#config';
import {
  AdoptFile,
  AllocateUpload,
  DeleteDiscardedObjects,
  FinalizeUpload,
  ListPersonaFiles,
  MIN_PART_BYTES,
  PurgePersona,
  ReclaimFiles,
  ReconcileStorage,
  StoreFile,
  SweepFiles,
  type DiscardedFiles,
  type Files,
  type FileTypes,
  type StorageRecords,
  type UploadRules,
  type Uploads,
} from '#files';
import { clock, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';
import { objectStorage, randomTokens, StorageModule } from './storage.module.ts';

export const files = token<Files>('Files');
export const fileTypes = token<FileTypes>('FileTypes');
const discardedFiles = token<DiscardedFiles>('DiscardedFiles');
const storageRecords = token<StorageRecords>('StorageRecords');
const uploads = token<Uploads>('Uploads');
const uploadRules = token<UploadRules>('UploadRules');

/** Files: uploaded, stored, adopted, and deleted when nothing needs them any more. */
@Module({
  imports: [StorageModule],
  providers: [
    provideAs(discardedFiles, PostgresDiscardedFiles, Database),
    provideAs(files, PostgresFiles, Database),
    provideAs(fileTypes, MagicFileTypes),
    provideAs(storageRecords, PostgresStorageRecords, Database),
    provideAs(uploads, PostgresUploads, Database),
    { provide: uploadRules, useFactory: uploadRulesOf, inject: [settings] },
    provide(AdoptFile, files, uploads, objectStorage, randomTokens, clock),
    provide(AllocateUpload, uploads, objectStorage, randomTokens, uploadRules, clock),
    provide(DeleteDiscardedObjects, discardedFiles, objectStorage, unitOfWork, clock),
    provide(FinalizeUpload, uploads, objectStorage, fileTypes, randomTokens, uploadRules, clock),
    provide(ListPersonaFiles, files, objectStorage, clock),
    provide(
      PurgePersona,
      discardedFiles,
      uploads,
      objectStorage,
      DeleteDiscardedObjects,
      jobs,
      unitOfWork,
      clock,
    ),
    provide(ReclaimFiles, discardedFiles, DeleteDiscardedObjects, jobs, unitOfWork, clock),
    provide(ReconcileStorage, objectStorage, storageRecords, clock),
    provide(StoreFile, files, objectStorage, randomTokens, clock),
    provide(SweepFiles, discardedFiles, uploads, objectStorage, DeleteDiscardedObjects, unitOfWork, clock),
  ],
  exports: [
    StorageModule,
    files,
    fileTypes,
    AdoptFile,
    AllocateUpload,
    FinalizeUpload,
    ListPersonaFiles,
    PurgePersona,
    ReclaimFiles,
    ReconcileStorage,
    StoreFile,
    SweepFiles,
  ],
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
