import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DiskObjects, S3ObjectStorage } from '#adapters/storage';
import { servingHeaders } from '#files';
import { checksumOfObject, objectsOf, storeIn, type Backup, type Checksum } from './backup.ts';
import { isUnchangeable } from './rules.ts';

/**
 * Saves the object at `place` as `key` in the store of a backup, which is on disk.
 *
 * @returns `null` when there is no such object
 */
export type SaveObject = (to: DiskObjects, place: string, key: string) => Promise<Checksum | null>;

/** Objects of a disk store: hard links on the same file system, copies otherwise. */
export function objectsOnDisk(store: DiskObjects): SaveObject {
  return async (to, place, key) => ((await to.copyFrom(store, place, key)) ? checksumOfObject(to, key) : null);
}

/** Objects of a bucket. Intact objects of the previous backup are linked, since the bytes of a file never change. */
export async function objectsInBucket(bucket: S3ObjectStorage, before: Backup | null): Promise<SaveObject> {
  const saved = before && { store: storeIn(join(before.path, 'files')), checksums: await checksumsOf(before) };
  return async (to, place, key) => {
    const known = saved?.checksums.get(key);
    if (saved && known && (await to.copyFrom(saved.store, key, key))) {
      const found = await checksumOfObject(to, key);
      if (found?.sha256 === known) return found;
    }
    return (await download(bucket, place, to, key)) ? checksumOfObject(to, key) : null;
  };
}

/** Checksums by key, of objects whose bytes can't have changed since. */
async function checksumsOf(backup: Backup): Promise<ReadonlyMap<string, string>> {
  const checksums = new Map<string, string>();
  for await (const objects of objectsOf(backup)) {
    for (const each of objects) if (!each.missing && isUnchangeable(each.key)) checksums.set(each.key, each.sha256);
  }
  return checksums;
}

async function download(bucket: S3ObjectStorage, place: string, to: DiskObjects, key: string): Promise<boolean> {
  const served = await bucket.serve(place);
  const bytes = await bucket.open(place);
  if (!bytes) return false;
  // An object that has expired is not served, whatever its headers.
  const { contentType = 'application/octet-stream', expiresAt = null } = served?.headers ?? {};
  await to.store(key, servingHeaders({ contentType, expiresAt }), async (path) => {
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    return (await stat(path)).size;
  });
  return true;
}
