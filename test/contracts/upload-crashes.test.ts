import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DiskObjectStorage } from '#adapters/storage';
import { ManualClock } from '#testing/kernel';
import { storedKeys, uploadRoom, type FileStore, type UploadRoom } from '#testing/files';
import { sendToDisk } from '../support/disk-client.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { fileStoreOn } from '../support/file-store.ts';
import { Lifeline } from '../support/lifeline.ts';

jest.setTimeout(120_000);

const { signal } = new AbortController();
const DAY = 86_400;

let db: TestDatabase;
let store: FileStore;
let root: string;
let storage: DiskObjectStorage;
const clock = new ManualClock(new Date());
beforeAll(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
  root = await mkdtemp(join(tmpdir(), 'x12-crashes-'));
  storage = new DiskObjectStorage({ root, publicUrl: 'http://localhost', secret: 'x'.repeat(32), clock });
});
afterAll(async () => {
  await db.drop();
  await rm(root, { recursive: true });
});

const send = (url: string, bytes: Buffer) => sendToDisk(storage, url, bytes);
const openRoom = () => uploadRoom({ store, storage, clock, send });

/** The same room as a process sees it that ends at a certain call. */
const mortalRoom = (lifeline: Lifeline) =>
  uploadRoom({
    clock,
    send,
    storage: lifeline.wrap<DiskObjectStorage>(storage),
    store: {
      ...store,
      files: lifeline.wrap(store.files),
      uploads: lifeline.wrap(store.uploads),
      discarded: lifeline.wrap(store.discarded),
    },
  });

/** Does `work` in processes that end at its first call, at its second, and so on until one gets to the end. */
async function inEveryCrash(
  work: (mortal: UploadRoom) => Promise<unknown>,
  afterwards: () => Promise<void>,
): Promise<void> {
  for (const moment of ['before', 'after'] as const) {
    for (let calls = 0; ; calls++) {
      const lifeline = new Lifeline(calls, moment);
      const mortal = await mortalRoom(lifeline);
      await work(mortal).catch((error: unknown) => {
        if (!lifeline.isOver) throw error;
      });
      await afterwards();
      if (!lifeline.isOver) break;
      expect(calls).toBeLessThan(50);
    }
  }
}

/** After a sweep, files and objects are the same things. */
async function expectNothingLeftOver(): Promise<void> {
  const rows = await db.query<{ key: string }>('select key from files order by key');
  const keys = await storedKeys(storage);
  expect(keys).toEqual(rows.map((row) => row.key).sort());
  expect(await db.query('select key from discarded_objects')).toEqual([]);
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(files).toHaveLength(2 * keys.length);
}

describe('whenever a process ends', () => {
  it('while it finalizes, the upload can be finalized again, or is dropped with all its bytes', async () => {
    for (const isFinalizedAgain of [true, false]) {
      let finalUrl = '';
      const room = await openRoom();
      await inEveryCrash(
        async (mortal) => {
          finalUrl = (await room.send('x12tmp-a.png', 'image/png of one upload')).finalUrl;
          await mortal.finalize(finalUrl, room.actor);
        },
        async () => {
          if (isFinalizedAgain) {
            const { file } = await room.finalize(finalUrl);
            expect(file.size).toBe('image/png of one upload'.length);
            expect((await storage.head(file.key))?.size).toBe(file.size);
          }
          clock.advance(2 * DAY);
          await room.sweep.run();
          await expectNothingLeftOver();
        },
      );
    }
  });

  it('while it finalizes an upload in parts, that can be done again, or all parts are dropped', async () => {
    const content = ['image/png ', 'of ', 'three parts'];
    for (const isFinalizedAgain of [true, false]) {
      let finalUrl = '';
      const room = await openRoom();
      await inEveryCrash(
        async (mortal) => {
          finalUrl = (await room.sendParts('x12tmp-a.png', content)).finalUrl;
          await mortal.finalize(finalUrl, room.actor);
        },
        async () => {
          if (isFinalizedAgain) {
            const { file } = await room.finalize(finalUrl);
            expect(file.size).toBe(content.join('').length);
          }
          clock.advance(2 * DAY);
          await room.sweep.run();
          await expectNothingLeftOver();
        },
      );
    }
  });

  it('while it allocates an upload in parts, nothing stays', async () => {
    const room = await openRoom();
    await inEveryCrash(
      (mortal) => mortal.sendParts('a.png', ['image/png', 'more']),
      async () => {
        clock.advance(2 * DAY);
        await room.sweep.run();
        await expectNothingLeftOver();
      },
    );
  });

  it('while it refuses an upload, the bytes go', async () => {
    const room = await openRoom();
    await inEveryCrash(
      async (mortal) => {
        const { finalUrl } = await room.send('a.png', 'no picture');
        await mortal.finalize(finalUrl, room.actor).catch((error: { code?: string }) => {
          if (error.code !== 'file_type_mismatch') throw error;
        });
      },
      async () => {
        clock.advance(2 * DAY);
        await room.sweep.run();
        await expectNothingLeftOver();
      },
    );
  });

  it('while it stores a file, there is a file or nothing', async () => {
    const room = await openRoom();
    await inEveryCrash(
      (mortal) =>
        mortal.files.store({
          workspaceId: room.actor.workspaceId,
          personaId: null,
          origin: 'import',
          filename: 'a.png',
          contentType: 'image/png',
          bytes: Buffer.from('image/png'),
        }),
      async () => {
        clock.advance(2 * DAY);
        await room.sweep.run();
        await expectNothingLeftOver();
      },
    );
  });

  it('while it adopts a temporary file in a unit of work, there is a referred copy or nothing', async () => {
    const room = await openRoom();
    await inEveryCrash(
      async (mortal) => {
        const { url } = await room.save('x12tmp-a.png', 'image/png');
        await store.unitOfWork.run(async () => {
          const copy = await mortal.files.resolve({ workspaceId: room.actor.workspaceId, url });
          await store.refer('media', copy!.id);
        });
      },
      async () => {
        clock.advance(2 * DAY);
        await room.sweep.run();
        await expectNothingLeftOver();
        expect(await db.query('select id from files except select file_id from media_files')).toEqual([]);
      },
    );
  });

  it('while it sweeps, the next sweep does the rest', async () => {
    const room = await openRoom();
    await inEveryCrash(
      async (mortal) => {
        await room.save('x12tmp-a.png', 'image/png');
        await room.send('b.png', 'image/png');
        await room.sendParts('c.png', ['image/png', 'more']);
        await store.files.reserve('files/nobody/a.png', clock.now());
        await storage.put('files/nobody/a.png', { bytes: Buffer.from('x') }, { contentType: 'image/png' });
        await storage.put('frozen/nobody.1', { bytes: Buffer.from('x') }, { contentType: 'image/png' });
        clock.advance(DAY);
        await mortal.sweep.run();
      },
      async () => {
        clock.advance(DAY);
        await room.sweep.run();
        await expectNothingLeftOver();
      },
    );
  });

  it('while it purges a persona, the purge is done by who does it again', async () => {
    let room: UploadRoom;
    await inEveryCrash(
      async (mortal) => {
        room = await openRoom();
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
        await expectNothingLeftOver();
      },
    );
  });
});
