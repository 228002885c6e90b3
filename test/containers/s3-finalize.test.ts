import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { contentOf, storedKeys, uploadRoom, type FileStore, type UploadRoom } from '#testing/files';
import { MIN_PART_BYTES } from '#files';
import { loadS3, type S3ObjectStorage } from '#adapters/storage';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { fileStoreOn, mortalStore } from '../support/file-store.ts';
import { inEveryCrash, type Lifeline } from '../support/lifeline.ts';
import { createBucket, type TestBucket } from '../support/s3-bucket.ts';
const DAY = 86_400;
const rules = { maxBytes: 100_000_000, minPartBytes: MIN_PART_BYTES };
const PARTS = ['image/png'.padEnd(MIN_PART_BYTES), 'end'];

let db: TestDatabase;
let store: FileStore;
let bucket: TestBucket;
let storage: S3ObjectStorage;
beforeAll(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
  bucket = await createBucket();
  const s3 = await loadS3();
  storage = new s3.S3ObjectStorage(bucket.options);
});
afterAll(async () => {
  storage.close();
  await bucket.drop();
  await db.drop();
});

const send = async (url: string, bytes: Buffer): Promise<number> =>
  (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status;

/** A room of the present time, or as a process sees it that ends at a certain call. */
const openRoom = (clock = new ManualClock(new Date()), lifeline?: Lifeline) =>
  uploadRoom({
    clock,
    send,
    rules,
    storage: lifeline ? lifeline.wrap<S3ObjectStorage>(storage) : storage,
    store: lifeline ? mortalStore(store, lifeline) : store,
  });

async function uploadsInParts(): Promise<number> {
  const command = new ListMultipartUploadsCommand({ Bucket: bucket.options.bucket });
  return (await bucket.client.send(command)).Uploads?.length ?? 0;
}

describe('an upload to S3', () => {
  it('is saved once by finalizes at the same time, and takes no parts afterwards', async () => {
    const room = await openRoom();
    for (let round = 0; round < 5; round++) {
      const inParts = await room.sendParts('a.png', PARTS);
      for (const ticket of [await room.send('a.png', 'image/png of one'), inParts]) {
        const saved = await Promise.all(Array.from({ length: 6 }, () => room.finalize(ticket.finalUrl)));
        expect(new Set(saved.map(({ file }) => file.id)).size).toBe(1);
        const { key, size } = saved[0]!.file;
        expect(await storage.head(key)).toMatchObject({ size });
        expect((await storedKeys(storage)).filter((each) => !each.startsWith('files/'))).toEqual([]);
      }
      expect(await send(inParts.partUrls![1]!, Buffer.from('late'))).toBe(404);
    }
    expect(await uploadsInParts()).toBe(0);
  });

  it('ends with one whole version when bytes are PUT while it is finalized', async () => {
    const room = await openRoom();
    for (let round = 0; round < 10; round++) {
      const ticket = await room.allocate({ filename: 'a.png' });
      const versions = ['a', 'b', 'c'].map((letter) => Buffer.from(`image/png ${letter.repeat(30_000)}`));
      await send(ticket.signedUrl!, versions[0]!);
      const [{ file }] = await Promise.all([
        room.finalize(ticket.finalUrl),
        ...versions.map((bytes) => send(ticket.signedUrl!, bytes)),
      ]);
      const bytes = await contentOf(await storage.open(file.key));
      expect(versions.some((version) => version.equals(bytes))).toBe(true);
      expect(bytes.length).toBe(file.size);
    }
  });

  it.each([
    ['as a whole', (room: UploadRoom) => room.send('x12tmp-a.png', 'image/png of one')],
    ['in parts', (room: UploadRoom) => room.sendParts('x12tmp-a.png', PARTS)],
  ])('%s can be finalized again, or is dropped, whenever a process ends', async (_name, sendTo) => {
    for (const isFinalizedAgain of [true, false]) {
      let room: UploadRoom;
      let finalUrl = '';
      await inEveryCrash(
        async (lifeline) => {
          room = await openRoom();
          const mortal = await openRoom(room.clock, lifeline);
          ({ finalUrl } = await sendTo(room));
          await mortal.finalize(finalUrl, room.actor);
        },
        async () => {
          if (isFinalizedAgain) {
            const { file } = await room.finalize(finalUrl);
            expect(await storage.head(file.key)).toMatchObject({ size: file.size });
          }
          room.clock.advance(2 * DAY);
          await room.deletion.sweep();
          const token = finalUrl.split('/').at(-2)!;
          expect((await storedKeys(storage)).filter((key) => key.includes(token))).toEqual([]);
          expect(await uploadsInParts()).toBe(0);
        },
      );
    }
  });
});
