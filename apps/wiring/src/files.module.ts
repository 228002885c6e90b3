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
  type UploadRules,
} from '#files';
import { Personas } from '#persona';
import { DefaultPersonaModule } from './default-persona.module.ts';
import { clock, graceDays, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

export const fileRecords = token<FileRecords>('FileRecords');

/** Files: uploaded, stored, resolved, and deleted when nothing needs them any more. */
@SharedModule(
  [DefaultPersonaModule, StorageModule],
  ...provideStores(PostgresDiscardedFiles, PostgresStorageRecords, PostgresUploadRecords),
  provideAs(fileRecords, PostgresFileRecords, Database),
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
    [PostgresUploadRecords, objectStorage, StoredUrls, MagicFileTypes, Personas, unitOfWork, settings, clock],
    (records, storage, urls, fileTypes, personas, work, { uploads }, time) => {
      const rules = uploadRulesOf(uploads);
      return new Uploads({ records, storage, urls, fileTypes, rules, personas, unitOfWork: work, clock: time });
    },
  ),
  provide(Files, fileRecords, PostgresUploadRecords, objectStorage, StoredUrls, clock),
  provide(StorageReconciliation, objectStorage, PostgresStorageRecords, clock),
)
export class FilesModule {}

function uploadRulesOf({ maxBytes, urlTtlSeconds, tempFileTtlSeconds }: Settings['uploads']): UploadRules {
  return { maxBytes, urlTtlSeconds, temporaryTtlSeconds: tempFileTtlSeconds, minPartBytes: MIN_PART_BYTES };
}
