/** @tier test, 20 s */
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredFile } from '#files';
import { ManualClock } from '#testing/kernel';
import { aFile, contentOf, storedKeys, uploadRoom, type UploadRoom } from '#testing/files';
import { createDatabase } from '../support/database.ts';
import { temporaryDisk } from '../support/disk-client.ts';
import { fileStoreOn, mortalStore } from '../support/file-store.ts';
import { inEveryCrash } from '../support/lifeline.ts';
import { itInRounds, rounds } from '../support/rounds.ts';
const { signal } = new AbortController();
const DAY = 86_400;

let room: UploadRoom;
const clock = new ManualClock(new Date());
const { root, storage, send, drop } = await temporaryDisk(clock);
const db = await createDatabase({ poolSize: 20 });
const store = fileStoreOn(db.database);
afterAll(async () => {
  await db.drop();
  await drop();
});
beforeEach(async () => {
  room = await uploadRoom({ store, storage, clock, send });
});

const putObject = (key: string) => storage.put(key, { bytes: Buffer.from('image/png') }, { contentType: 'image/png' });
const contentAt = async (file: StoredFile) => (await contentOf(await storage.open(file.key))).toString();
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

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

async function expectSweepToLeaveNothing(): Promise<void> {
  await sweepEverything();
  await expectNothingLeftOver();
}

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

it.each([
  [
    'allocates an upload in parts',
    'nothing stays',
    (mortal: UploadRoom) => mortal.sendParts('a.png', ['image/png', 'more']),
  ],
  ['stores a file', 'there is a file or nothing', (mortal: UploadRoom) => mortal.keep()],
  [
    'refuses an upload',
    'the bytes go',
    async (mortal: UploadRoom) => {
      const { finalUrl } = await room.send('a.png', 'no picture');
      await mortal.finalize(finalUrl, room.actor).catch((error: { code?: string }) => {
        if (error.code !== 'file_type_mismatch') throw error;
      });
    },
  ],
])('whenever a process ends that %s, %s', (_what, _then, work) => whenever(work));

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
    await store.files.reserve('files/nobody/a.png', 0, clock.now());
    for (const key of ['files/nobody/a.png', 'frozen/nobody.1']) await putObject(key);
    clock.advance(DAY);
    await mortal.deletion.sweep();
  }));

it('a purge of a persona that a killed process began is completed by the next', () =>
  whenever(
    async (mortal) => {
      room = await uploadRoom({ store, storage, clock, send });
      await room.save('a.png', 'image/png');
      const used = await room.save('used.png', 'image/png');
      await room.send('b.png', 'image/png');
      await room.sendParts('c.png', ['image/png', 'more']);
      await store.refer('training', used.file.id);
      await store.deletePersona(room.personaId);
      await mortal.purgePersona(room.personaId);
    },
    async () => {
      await room.purgePersona(room.personaId);
      expect(await store.hasPersona(room.personaId)).toBe(false);
    },
  ));

describe('calls of finalize at the same time', () => {
  afterEach(expectSweepToLeaveNothing);

  itInRounds('save one file, with the bytes of one PUT, however many PUTs race them', async () => {
    const ticket = await room.send('a.png', 'image/png 0');
    const [results] = await Promise.all([
      times(6, () => room.finalize(ticket.finalUrl)),
      times(6, (index) => room.put(ticket, `image/png ${'x'.repeat(index)}`)),
    ]);
    const { file } = await room.finalize(ticket.finalUrl);
    for (const result of results) expect(result.file).toEqual(file);
    expect((await contentAt(file)).length).toBe(file.size);
    const inParts = await room.sendParts('a.png', ['image/png ', 'more']);
    const saved = await times(6, () => room.finalize(inParts.finalUrl));
    expect(new Set(saved.map((each) => each.file.id)).size).toBe(1);
  });

  itInRounds('never save bytes of another type that are PUT in the middle', async () => {
    const ticket = await room.send('a.png', 'image/png');
    const [results] = await Promise.all([
      Promise.allSettled([1, 2].map(() => room.finalize(ticket.finalUrl))),
      times(3, () => room.put(ticket, 'text/html <script>')),
    ]);
    for (const result of results) {
      if (result.status === 'fulfilled') expect(await contentAt(result.value.file)).toBe('image/png');
      else expect(['file_type_mismatch', 'not_uploaded']).toContain(result.reason.code);
    }
  });

  itInRounds('end with a file or without one while the persona is deleted and purged', async () => {
    const personaId = await store.newPersona(room.actor);
    const allocate = () => room.allocate({ filename: 'a.png', personaId });
    const ticket = await allocate();
    await room.put(ticket, 'image/png');
    const [, ...others] = await Promise.allSettled([
      store.deletePersona(personaId).then(() => room.purgePersona(personaId)),
      room.finalize(ticket.finalUrl),
      room.finalize(ticket.finalUrl),
      allocate(),
    ]);
    for (const other of others) {
      if (other.status === 'rejected') expect(['not_found', 'not_uploaded']).toContain(other.reason.code);
    }
    while (await store.hasPersona(personaId)) await room.purgePersona(personaId);
    await expect(room.finalize(ticket.finalUrl)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a file that is saved while it is reclaimed', () => {
  const saveInTraining = (file: StoredFile, before: () => Promise<void> = async () => undefined) =>
    store.unitOfWork.run(async () => {
      const { workspaceId } = room.actor;
      const saved = await room.files.resolve({ workspaceId, url: room.urls.plainUrlOf(file.key) });
      await before();
      await store.refer('training', saved!.id);
      return saved!;
    });

  it('is either there for good or was never to be had', async () => {
    const outcomes = { kept: 0, gone: 0 };
    for (let round = 0; round < 60; round++) {
      const file = await room.keep();
      const [saved] = await Promise.allSettled([saveInTraining(file), room.deletion.deleteUnneeded([file.id], signal)]);
      // Uploads that were held are announced anew.
      for (const job of room.jobs.announced.splice(0)) {
        await room.deletion.deleteUnneeded((job.payload as { fileIds: number[] }).fileIds, signal);
      }
      if (saved.status === 'fulfilled') {
        outcomes.kept++;
        expect(await store.files.find(file.id)).toEqual(file);
        expect(await contentAt(file)).toBe('image/png');
      } else {
        outcomes.gone++;
        expect(saved.reason).toMatchObject({ code: 'not_found' });
        expect(await store.files.find(file.id)).toBeNull();
        expect(await storage.head(file.key)).toBeNull();
      }
    }
    expect(outcomes.kept).toBeGreaterThan(0);
    await expectSweepToLeaveNothing();
  });

  it('is kept by a reference that is committed after the reclaiming has begun', async () => {
    const file = await room.keep();
    const [locked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const saving = saveInTraining(file, () => {
      locked.resolve();
      return goOn.promise;
    });
    await locked.promise;
    await room.deletion.deleteUnneeded([file.id], signal);
    expect(room.jobs.announced).toEqual([
      { name: 'files.reclaim', payload: { fileIds: [file.id] }, workspaceId: null, delaySeconds: 5, bulk: false },
    ]);
    goOn.resolve();
    await saving;
    await room.deletion.deleteUnneeded([file.id], signal);
    expect(await store.files.find(file.id)).toEqual(file);
  });

  it('is copied or refused when it is temporary and its time is just over', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { file } = await room.save('x12tmp-a.png', 'image/png');
      clock.advance(12 * 3_600 - 1);
      const saving = saveInTraining(file);
      clock.advance(1);
      const [saved] = await Promise.allSettled([saving, room.deletion.sweep()]);
      await room.deletion.sweep();
      expect(await store.files.find(file.id)).toBeNull();
      if (saved.status === 'fulfilled') {
        expect(saved.value.expiresAt).toBeNull();
        expect(await contentAt(saved.value)).toBe('image/png');
      } else {
        expect(saved.reason).toMatchObject({ code: 'file_expired' });
      }
    }
    await expectSweepToLeaveNothing();
  });
});

describe('sweeps at the same time', () => {
  it('share the work: each file is deleted once', async () => {
    await expectSweepToLeaveNothing();
    const now = clock.now();
    for (let batch = 0; batch < 5; batch++) {
      await times(500, async () => {
        const file = aFile({ workspaceId: room.actor.workspaceId, createdAt: now, expiresAt: now });
        await store.files.reserve(file.key, file.workspaceId, now);
        await store.files.add(file);
      });
    }
    const reports = await times(4, () => room.deletion.sweep());
    const sum = (of: 'expired' | 'deleted') => reports.reduce((all, report) => all + report[of], 0);
    // The last one may have found locked uploads, and the next sweep has them.
    const last = await room.deletion.sweep();
    expect(sum('expired') + last.expired).toBe(2500);
    expect(sum('deleted') + last.deleted).toBe(2500);
    expect(await db.query('select id from files where expires_at is not null')).toEqual([]);
  });
});

describe('storing inside units of work', () => {
  it('leaves a trace of the bytes when the unit of work is rolled back', async () => {
    const work = store.unitOfWork.run(async () => {
      await room.keep();
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await db.query('select key from discarded_objects')).toHaveLength(1);
    await expectSweepToLeaveNothing();
  });

  it('waits for no connection that another unit of work has', async () => {
    const crowded = await createDatabase({ poolSize: 2 });
    try {
      const narrow = await uploadRoom({ store: fileStoreOn(crowded.database), storage, clock });
      const stored = await times(20, () => narrow.store.unitOfWork.run(() => narrow.keep()));
      expect(new Set(stored.map((file) => file.id)).size).toBe(20);
      await storage.delete(stored.map((file) => file.key));
    } finally {
      await crowded.drop();
    }
  });

  itInRounds('adds an outdated reservation or deletes its file, never both', async () => {
    const { workspaceId } = room.actor;
    const file = aFile({ workspaceId, createdAt: new Date(clock.now().getTime() + 3_601_000) });
    await store.files.reserve(file.key, workspaceId, clock.now());
    await putObject(file.key);
    clock.advance(3_601);
    const [added] = await Promise.allSettled([store.files.add(file), room.deletion.sweep()]);
    const isThere = (await storage.head(file.key)) !== null;
    expect(isThere).toBe(added.status === 'fulfilled');
    if (added.status === 'rejected') expect(added.reason).toMatchObject({ code: 'conflict' });
  });
});
