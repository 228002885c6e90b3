/** @tier test */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DiskObjectStorage } from '#adapters/storage';
import { ManualClock } from '#testing/kernel';
import { storedKeys, uploadRoom, type UploadRoom } from '#testing/files';
import { keepBytes, keptKey, StorageReconciliation } from '#files';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { temporaryDisk } from '../support/disk-client.ts';
import { fileStoreOn } from '../support/file-store.ts';
import { Product } from '../support/product.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const { signal } = new AbortController();

let db: TestDatabase;
let disk: Awaited<ReturnType<typeof temporaryDisk>>;
let clock: ManualClock;
let storage: DiskObjectStorage;
let room: UploadRoom;
let reconcile: StorageReconciliation;
beforeEach(async () => {
  db = await createDatabase();
  clock = new ManualClock(new Date());
  disk = await temporaryDisk(clock);
  ({ storage } = disk);
  room = await uploadRoom({ store: fileStoreOn(db.database), storage, clock, graceDays: 7 });
  reconcile = new Product(db, { storage, clock }).get(StorageReconciliation);
});
afterEach(async () => {
  await db.drop();
  await disk.drop();
});

const put = (key: string) => storage.put(key, { bytes: Buffer.from('x') }, { contentType: 'image/png' });

describe('comparing storage and records', () => {
  it('accounts for whatever is under way, and for the bytes of deleted files', async () => {
    await room.deletion.deleteUnneeded([(await room.keep()).id], signal);
    await room.save('saved.png', 'image/png');
    await room.save('x12tmp-saved.png', 'image/png');
    clock.advance(12 * HOUR);
    await room.send('sent.png', 'image/png');
    await put('frozen/young.1');
    clock.advance(23 * HOUR);
    expect(await reconcile.run({ fix: true })).toMatchObject({ strayObjects: 0, lostFiles: 0, files: 2 });
    expect(await storedKeys(storage)).toHaveLength(5);
  });

  it('finds objects without a record after a day, and removes them only if configured to', async () => {
    const { file } = await room.save('saved.png', 'image/png');
    const strays = ['files/nobody/a.png', 'frozen/nobody.1', 'staging/nobody'];
    for (const key of strays) await put(key);
    clock.advance(DAY);
    await put('files/young/a.png');
    expect((await reconcile.run({ fix: false })).strayObjects).toBe(0);
    clock.advance(1);
    const found = await reconcile.run({ fix: false });
    expect(found).toMatchObject({ strayObjects: 3, removed: 0 });
    expect([...found.examples].sort()).toEqual(strays);
    expect(await reconcile.run({ fix: true })).toMatchObject({ strayObjects: 3, removed: 3 });
    expect(await reconcile.run({ fix: true })).toMatchObject({ strayObjects: 0, removed: 0 });
    const left = await storedKeys(storage);
    expect(left).toContain(file.key);
    expect(left).toContain('files/young/a.png');
  });

  it('finds records without an object, and removes unreferenced records', async () => {
    const lost = await room.save('lost.png', 'image/png');
    const used = await room.save('used.png', 'image/png');
    await room.save('fine.png', 'image/png');
    await room.store.refer('media', used.file.id);
    await storage.delete([lost.file.key, used.file.key]);
    clock.advance(DAY + 1);
    expect(await reconcile.run({ fix: false })).toMatchObject({ files: 3, lostFiles: 2, removed: 0 });
    expect(await reconcile.run({ fix: true })).toMatchObject({ lostFiles: 2, removed: 1 });
    expect(await reconcile.run({ fix: true })).toMatchObject({ files: 2, lostFiles: 1, removed: 0 });
    expect(await room.store.files.find(used.file.id)).not.toBeNull();
  });

  it('moves kept bytes back to files that an earlier state of the database has', async () => {
    const [back, fine, lost] = [
      await room.save('back.png', 'image/png back'),
      await room.save('fine.png', 'image/png fine'),
      await room.save('lost.png', 'image/png lost'),
    ].map(({ file }) => file.key) as [string, string, string];
    await keepBytes(storage, [back, lost]);
    await storage.delete([keptKey(lost)]);
    await put('kept/nobody/a.png');
    clock.advance(DAY + 1);
    // Bytes that a file can be recovered from are no stray ones.
    expect((await reconcile.run({ fix: true })).examples).toContain('kept/nobody/a.png');
    expect(await storedKeys(storage)).toEqual([back, fine].sort());
    await keepBytes(storage, [back]);
    expect(await reconcile.recover()).toEqual({ files: 2, recovered: 1 });
    expect(await reconcile.recover()).toEqual({ files: 2, recovered: 0 });
    expect(await storedKeys(storage)).toEqual([back, fine].sort());
  });

  it('checks a part each night in one process, and continues where it stopped', async () => {
    await put('files/nobody/a.png');
    clock.advance(2 * DAY);
    const results = await Promise.all(Array.from({ length: 5 }, () => reconcile.runNightly(signal)));
    expect(results.filter((result) => result !== null)).toMatchObject([{ strayObjects: 1, removed: 0 }]);
    expect(await reconcile.runNightly(signal)).toBeNull();
    clock.advance(DAY);
    expect(await reconcile.runNightly(signal)).toMatchObject({ strayObjects: 1 });
    await db.query("update reconciliation set object_key = 'staging/x'");
    clock.advance(DAY);
    expect(await reconcile.runNightly(signal)).toMatchObject({ objects: 0 });
  });
});
