import { MagicFileTypes } from '#adapters/images';
import {
  Database,
  PostgresDiscardedFiles,
  PostgresFileRecords,
  PostgresStorageRecords,
  PostgresStorageSpace,
  PostgresUploadRecords,
} from '#adapters/postgres';
import type { Settings } from '#config';
import {
  FileDeletion,
  Files,
  FreeSpace,
  MIN_PART_BYTES,
  StorageReconciliation,
  StoredUrls,
  Uploads,
  type FileRecords,
  type StorageQuotas,
  type StorageSpace,
  type UploadRules,
} from '#files';
import { Personas } from '#persona';
import { DefaultPersonaModule } from './default-persona.module.ts';
import { clock, graceDays, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

export const fileRecords = token<FileRecords>('FileRecords');
export const storageSpace = token<StorageSpace>('StorageSpace');
const storageQuotas = token<StorageQuotas>('StorageQuotas');

/** Files: uploaded, stored, resolved, and deleted when nothing needs them any more. */
@SharedModule(
  [DefaultPersonaModule, StorageModule],
  ...provideStores(PostgresDiscardedFiles, PostgresStorageRecords),
  provideMade(storageQuotas, [settings], ({ storage }) => storage.quotas),
  provide(PostgresUploadRecords, Database, storageQuotas),
  provideAs(fileRecords, PostgresFileRecords, Database, storageQuotas),
  provide(PostgresStorageSpace, Database, storageQuotas),
  provideAs(storageSpace, FreeSpace, PostgresStorageSpace, objectStorage),
  provide(MagicFileTypes),
  provideWith(FileDeletion, {
    files: fileRecords,
    discarded: PostgresDiscardedFiles,
    uploads: PostgresUploadRecords,
    storage: objectStorage,
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
      Personas,
      storageSpace,
      unitOfWork,
      settings,
      clock,
    ],
    (records, storage, urls, fileTypes, personas, space, work, { uploads }, time) => {
      const rules = uploadRulesOf(uploads);
      return new Uploads({ records, storage, urls, fileTypes, rules, personas, space, unitOfWork: work, clock: time });
    },
  ),
  provide(Files, fileRecords, PostgresUploadRecords, objectStorage, StoredUrls, clock, storageSpace),
  provide(StorageReconciliation, objectStorage, PostgresStorageRecords, clock),
)
export class FilesModule {}

function uploadRulesOf({ maxBytes, urlTtlSeconds, tempFileTtlSeconds }: Settings['uploads']): UploadRules {
  return { maxBytes, urlTtlSeconds, temporaryTtlSeconds: tempFileTtlSeconds, minPartBytes: MIN_PART_BYTES };
}
