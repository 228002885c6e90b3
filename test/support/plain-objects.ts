import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskLayout, newVersion } from '../../libs/adapters/storage/src/disk-layout.ts';

/** Writes objects of one byte as the disk store does, without the flushes that make each one durable. */
export async function writePlainObjects(root: string, keys: readonly string[]): Promise<void> {
  const layout = new DiskLayout(root);
  const modifiedAt = new Date();
  for (let shard = 0; shard < 256; shard++) {
    await mkdir(join(root, 'files', shard.toString(16).padStart(2, '0')), { recursive: true });
  }
  const waiting = [...keys];
  const write = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const place = layout.place(key);
      const version = newVersion(modifiedAt);
      const facts = { size: 1, etag: version, headers: { contentType: 'image/png' } };
      await writeFile(layout.blob(place, version), 'x');
      await writeFile(place.record, JSON.stringify({ key, ...facts, modifiedAt, version }));
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
}
