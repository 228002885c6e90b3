import { join } from 'node:path';
import type { DiskObjects, S3ObjectStorage } from '#adapters/storage';
import { forEach } from '#kernel';
import { AT_ONCE, objectsOf, storeIn, type Backup } from './backup.ts';
import { leftOutOf, loadDatabase, refuseNewer, type Restored } from './restore.ts';
import { problemsOf } from './verify.ts';

/**
 * Fills an empty database and a bucket from a backup.
 *
 * @param url of the database
 * @param withoutDamaged leaves out objects that are damaged or missing in the backup, instead of refusing the backup
 * @throws StartError when the database is not empty, or the backup is damaged or of a newer version
 */
export async function restoreOutside(
  backup: Backup,
  url: string,
  bucket: S3ObjectStorage,
  withoutDamaged: boolean,
): Promise<Restored> {
  refuseNewer(backup);
  const leftOut = leftOutOf(backup, await problemsOf(backup), withoutDamaged);
  const findings = await loadDatabase(url, backup);
  const store = storeIn(join(backup.path, 'files'));
  let count = 0;
  for await (const objects of objectsOf(backup)) {
    await forEach(objects, AT_ONCE, async ({ key }) => {
      if (!leftOut.has(key) && (await upload(store, key, bucket))) count++;
    });
  }
  return { objects: count, findings };
}

async function upload(store: DiskObjects, key: string, bucket: S3ObjectStorage): Promise<boolean> {
  const opened = await store.openObject(key);
  if (!opened) return false;
  const { bytes, record } = opened;
  try {
    await bucket.putSized(key, bytes.createReadStream({ autoClose: false }), record.size, record.headers);
    return true;
  } finally {
    await bytes.close();
  }
}
