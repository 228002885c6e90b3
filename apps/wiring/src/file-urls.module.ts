import { Database, PostgresWorkspaceFiles } from '#adapters/postgres';
import { bucketUrl, HmacFileSignatures } from '#adapters/storage';
import type { Settings } from '#config';
import { StoredUrls, WorkspaceUrls, type FileSignatures } from '#files';
import { clock, settings } from './platform.ts';
import { provide, provideMade, SharedModule, token } from './provide.ts';

/** `null` for a bucket without a secret of the operator's. */
export const fileSignatures = token<FileSignatures | null>('FileSignatures');

/** The URLs of files, without the storage. */
@SharedModule(
  [],
  provideMade(StoredUrls, [settings], storedUrlsOf),
  provideMade(fileSignatures, [settings], ({ storage: { signingSecret } }) =>
    signingSecret === null ? null : new HmacFileSignatures(signingSecret),
  ),
  provide(PostgresWorkspaceFiles, Database),
  provideMade(
    WorkspaceUrls,
    [StoredUrls, fileSignatures, PostgresWorkspaceFiles, clock, settings],
    (stored, signatures, records, time, { storage }) =>
      new WorkspaceUrls(stored, signatures, records, time, storage.fileUrlTtlSeconds),
  ),
)
export class FileUrlsModule {}

export function storedUrlsOf({ http, storage }: Settings): StoredUrls {
  if (storage.bucket === null) return new StoredUrls(http.publicUrl, storage.formerPublicUrls);
  const bucket = storage.publicUrl ?? bucketUrl(storage);
  if (storage.filesServedBy === 'bucket') return new StoredUrls(bucket, storage.formerPublicUrls, http.publicUrl);
  return new StoredUrls(http.publicUrl, [bucket, ...storage.formerPublicUrls]);
}
