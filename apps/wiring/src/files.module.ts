import { join } from 'node:path';
import { MagicFileTypes, StrippedPictures } from '#adapters/images';
import {
  Database,
  PostgresDiscardedFiles,
  PostgresFileRecords,
  PostgresPictureNames,
  PostgresStorageRecords,
  PostgresStorageSpace,
  PostgresUploadRecords,
  PostgresWorkspaceFiles,
} from '#adapters/postgres';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import type { Settings } from '#config';
import {
  FileDeletion,
  Files,
  FreeSpace,
  MIN_PART_BYTES,
  PrivateFiles,
  ServedFiles,
  SignedFiles,
  StorageReconciliation,
  StoredUrls,
  Uploads,
  WorkspaceUrls,
  type FileRecords,
  type StorageQuotas,
  type StorageSpace,
  type UploadRules,
} from '#files';
import { Personas } from '#persona';
import { DefaultPersonaModule } from './default-persona.module.ts';
import { eventLog, EventsModule } from './events.module.ts';
import { fileSignatures } from './file-urls.module.ts';
import { auditLog, clock, graceDays, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { objectPlaces, objectStorage, StorageModule } from './storage.module.ts';

export const fileRecords = token<FileRecords>('FileRecords');
export const storageSpace = token<StorageSpace>('StorageSpace');
const storageQuotas = token<StorageQuotas>('StorageQuotas');

/** Uploads, files and their deletion. */
@SharedModule(
  [DefaultPersonaModule, EventsModule, StorageModule],
  ...provideStores(PostgresDiscardedFiles, PostgresPictureNames, PostgresStorageRecords),
  provideMade(storageQuotas, [settings], ({ storage }) => storage.quotas),
  provide(PostgresUploadRecords, Database, storageQuotas),
  provideAs(fileRecords, PostgresFileRecords, Database, storageQuotas),
  provide(PostgresStorageSpace, Database, storageQuotas),
  provideAs(storageSpace, FreeSpace, PostgresStorageSpace, objectStorage),
  provide(MagicFileTypes),
  provideMade(
    StrippedPictures,
    [settings],
    ({ data }) => new StrippedPictures(new DiskTemporaryFolders(join(data.folder, 'tmp', 'uploads'))),
  ),
  provideWith(FileDeletion, {
    files: fileRecords,
    discarded: PostgresDiscardedFiles,
    uploads: PostgresUploadRecords,
    storage: objectStorage,
    events: eventLog,
    jobs,
    unitOfWork,
    clock,
    graceDays,
  }),
  provideMade(
    Uploads,
    [
      PostgresUploadRecords,
      objectStorage,
      StoredUrls,
      MagicFileTypes,
      StrippedPictures,
      Personas,
      PostgresWorkspaceFiles,
      storageSpace,
      eventLog,
      unitOfWork,
      settings,
      clock,
    ],
    (records, storage, urls, fileTypes, pictures, personas, workspaces, space, events, work, values, time) => {
      const rules = uploadRulesOf(values);
      const ports = { records, storage, urls, fileTypes, pictures, personas, workspaces, space, events };
      return new Uploads({ ...ports, rules, unitOfWork: work, clock: time });
    },
  ),
  provide(Files, fileRecords, PostgresUploadRecords, objectStorage, StoredUrls, clock, storageSpace),
  provide(StorageReconciliation, objectStorage, PostgresStorageRecords, clock, objectPlaces),
  provide(SignedFiles, PostgresWorkspaceFiles, WorkspaceUrls),
  provide(ServedFiles, fileRecords, fileSignatures, clock),
  provideWith(PrivateFiles, {
    records: PostgresWorkspaceFiles,
    storage: objectStorage,
    places: objectPlaces,
    signatures: fileSignatures,
    auditLog,
    jobs,
    unitOfWork,
    clock,
  }),
)
export class FilesModule {}

function uploadRulesOf({ uploads, fetch }: Settings): UploadRules {
  const { maxBytes, metadata, urlTtlSeconds, tempFileTtlSeconds } = uploads;
  return {
    maxBytes,
    maxStrippedBytes: fetch.maxBytes,
    metadata,
    urlTtlSeconds,
    temporaryTtlSeconds: tempFileTtlSeconds,
    minPartBytes: MIN_PART_BYTES,
  };
}
