import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { storedKeys, uploadRoom, type FileStore, type UploadRoom } from '#testing/files';
import { temporaryDisk } from '../support/disk-client.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { fileStoreOn, mortalStore } from '../support/file-store.ts';
import { inEveryCrash } from '../support/lifeline.ts';

jest.setTimeout(120_000);

const { signal } = new AbortController();
const DAY = 86_400;
const PNG = { bytes: Buffer.from('image/png') };
const TYPE = { contentType: 'image/png' };

let db: TestDatabase;
let store: FileStore;
let room: UploadRoom;
const clock = new ManualClock(new Date());
const { root, storage, send, drop } = await temporaryDisk(clock);
beforeAll(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
});
beforeEach(async () => {
  room = await uploadRoom({ store, storage, clock, send });
});
afterAll(async () => {
  await db.drop();
  await drop();
});

/** Does `work` with the same room as processes see it that end at one call after the other. */
const whenever = (work: (mortal: UploadRoom) => Promise<unknown>, afterwards: () => Promise<void> = sweepEverything) =>
  inEveryCrash(
    async (lifeline) =>
      work(await uploadRoom({ clock, send, storage: lifeline.wrap(storage), store: mortalStore(store, lifeline) })),
    async () => {
      await afterwards();
      await expectNothingLeftOver();
    },
  );

async function sweepEverything(): Promise<void> {
  clock.advance(2 * DAY);
  await room.deletion.sweep();
}

/** Files and objects are the same things. */
async function expectNothingLeftOver(): Promise<void> {
  const rows = await db.query<{ key: string }>('select key from files order by key');
  const keys = await storedKeys(storage);
  expect(keys).toEqual(rows.map((row) => row.key).sort());
  expect(await db.query('select key from discarded_objects')).toEqual([]);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.isFile())).toHaveLength(2 * keys.length);
}

const SENT = 'image/png of three parts';
it.each([
  ['an upload', 'it can be finalized again', true, () => room.send('x12tmp-a.png', SENT)],
  ['an upload', 'it is dropped with all its bytes', false, () => room.send('x12tmp-a.png', SENT)],
  ['parts', 'they can be finalized again', true, () => room.sendParts('x12tmp-a.png', SENT.split(/(?<= )/))],
  ['parts', 'all of them are dropped', false, () => room.sendParts('x12tmp-a.png', SENT.split(/(?<= )/))],
] as const)('whenever a process ends that finalizes %s, %s', async (_what, _then, isFinalizedAgain, sendIt) => {
  let finalUrl = '';
  await whenever(
    async (mortal) => {
      ({ finalUrl } = await sendIt());
      await mortal.finalize(finalUrl, room.actor);
    },
    async () => {
      if (isFinalizedAgain) {
        const { file } = await room.finalize(finalUrl);
        expect([file.size, (await storage.head(file.key))?.size]).toEqual([SENT.length, SENT.length]);
      }
      await sweepEverything();
    },
  );
});

it('whenever a process ends that allocates an upload in parts, nothing stays', () =>
  whenever((mortal) => mortal.sendParts('a.png', ['image/png', 'more'])));

it('whenever a process ends that refuses an upload, the bytes go', () =>
  whenever(async (mortal) => {
    const { finalUrl } = await room.send('a.png', 'no picture');
    await mortal.finalize(finalUrl, room.actor).catch((error: { code?: string }) => {
      if (error.code !== 'file_type_mismatch') throw error;
    });
  }));

it('whenever a process ends that stores a file, there is a file or nothing', () => whenever((mortal) => mortal.keep()));

it('whenever a process ends that resolves a temporary file, there is a referred copy or nothing', () =>
  whenever(
    async (mortal) => {
      const { url } = await room.save('x12tmp-a.png', 'image/png');
      await store.unitOfWork.run(async () => {
        const copy = await mortal.files.resolve({ workspaceId: room.actor.workspaceId, url });
        await store.refer('media', copy!.id);
      });
    },
    async () => {
      await sweepEverything();
      expect(await db.query('select id from files except select file_id from media_files')).toEqual([]);
    },
  ));

it('whenever a process ends that sweeps, the next sweep does the rest', () =>
  whenever(async (mortal) => {
    await room.save('x12tmp-a.png', 'image/png');
    await room.send('b.png', 'image/png');
    await room.sendParts('c.png', ['image/png', 'more']);
    await store.files.reserve('files/nobody/a.png', clock.now());
    await storage.put('files/nobody/a.png', PNG, TYPE);
    await storage.put('frozen/nobody.1', PNG, TYPE);
    clock.advance(DAY);
    await mortal.deletion.sweep();
  }));

it('whenever a process ends that purges a persona, the purge is done by who does it again', () =>
  whenever(
    async (mortal) => {
      room = await uploadRoom({ store, storage, clock, send });
      await room.save('a.png', 'image/png');
      const used = await room.save('used.png', 'image/png');
      await room.send('b.png', 'image/png');
      await room.sendParts('c.png', ['image/png', 'more']);
      await store.refer('training', used.file.id);
      await store.deletePersona(room.personaId);
      await mortal.deletion.purgePersona(room.personaId, signal);
    },
    async () => {
      await room.deletion.purgePersona(room.personaId, signal);
      expect(await store.hasPersona(room.personaId)).toBe(false);
    },
  ));
