/** @tier test, 12 s */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAudit, PostgresVariantRecords } from '#adapters/postgres';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import { FileDeletion, Files, NOTHING_SEEN, StorageReconciliation, type FileToStore } from '#files';
import { InMemoryObjectStorage, storedKeys } from '#testing/files';
import { ManualClock } from '#testing/kernel';
import { aPng } from '#testing/sources';
import { SourceFailure } from '#sources';
import { canonicalText, transformationOf, Variants, type PictureTransforms } from '#transformation';
import { graceDays, pictureTransforms, storageSpace, variantFolders } from '#wiring';
import { codeOf } from '../support/code-of.ts';
import { newWorkspace } from '../support/database.ts';
import { deleteAllFiles, fileStoreOn } from '../support/file-store.ts';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const { signal } = new AbortController();
const db = await suiteDatabase({ poolSize: 20 });
const store = fileStoreOn(db.database);
const home = await newWorkspace(db.database);
const root = await mkdtemp(join(tmpdir(), 'x12-variants-'));
const folders = await DiskTemporaryFolders.open(root);
afterAll(() => rm(root, { recursive: true }));

let clock: ManualClock;
let storage: InMemoryObjectStorage;
/** The options of all variants that were begun, and what each does before it is written. */
let begun: string[];
let work: (options: string) => Promise<void>;
let one: ReturnType<typeof newProcess>;
beforeEach(async () => {
  await deleteAllFiles(db);
  clock = new ManualClock(new Date());
  storage = new InMemoryObjectStorage(clock);
  begun = [];
  work = async () => {};
  one = newProcess();
});

const transforms: PictureTransforms & { findMark(): Promise<null> } = {
  findMark: async () => null,
  transform: async (_file, target, wanted) => {
    const options = canonicalText(wanted);
    begun.push(options);
    await work(options);
    await writeFile(target, options);
    return { contentType: `image/${wanted.format === 'auto' ? 'jpeg' : wanted.format}`, width: 2, height: 1 };
  },
};

/** A process of the service: all have the database and the storage in common. */
function newProcess() {
  const product = new Product(db, { clock, storage })
    .with(pictureTransforms, transforms)
    .with(variantFolders, folders)
    .with(graceDays, 0);
  const records = product.get(PostgresVariantRecords);
  let finds = 0;
  const find: typeof records.find = (...of) => {
    finds++;
    return records.find(...of);
  };
  const counted = Object.assign(Object.create(records) as PostgresVariantRecords, { find });
  const variants = product.with(PostgresVariantRecords, counted).get(Variants);
  const of = (key: string, query = 'w=64&fm=webp', accept?: string) =>
    variants.of(key, transformationOf(new URLSearchParams(query))!, accept);
  /** Runs the announced jobs, and the sweep of two hours later. */
  const sweep = async () => {
    const deletion = product.get(FileDeletion);
    for (const { name, payload } of product.jobs.announced.splice(0))
      if (name === 'files.reclaim') await deletion.deleteUnneeded(payload.fileIds, signal);
    clock.advance(7_200);
    await deletion.sweep();
  };
  const untilPolling = async () => {
    while (finds < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { product, variants, of, sweep, untilPolling };
}

/** A stored picture that a board shows. */
async function picture(given: Partial<Pick<FileToStore, 'contentType' | 'filename'>> = {}) {
  const bytes = aPng();
  const file = { bytes, contentType: 'image/png', filename: 'own.png', seen: NOTHING_SEEN, ...given };
  const owner = { workspaceId: home.workspaceId, personaId: null, origin: 'import' } as const;
  const stored = await one.product.get(Files).store({ ...owner, ...file });
  await store.refer('media', stored.id);
  return stored;
}

async function remove({ id }: { readonly id: number }) {
  await store.unrefer(id);
  await one.product.get(FileDeletion).deleteUnneeded([id], signal);
}

const filesOf = async (id: number) => (await db.query('select from files where picture_id = $1', [id])).length;
/** Boards of `refer` count nothing. */
const findings = async () =>
  (await new PostgresAudit(db.database).findings()).filter(({ rule }) => !rule.includes('media count of a board'));

/** Holds whatever is made from now on. */
function hold() {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  work = () => held;
  return {
    release,
    untilBegun: async (count: number) => {
      while (begun.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

describe('a variant of a picture', () => {
  it('is a file of the picture, counted, and is deleted with it', async () => {
    const original = await picture();
    const space = one.product.get(storageSpace);
    const { used } = await space.of(home.workspaceId);
    const variant = await one.of(original.key);
    expect(variant).toMatchObject({ contentType: 'image/webp', expiresAt: null });
    expect(storage.headersOf(variant.key)).toMatchObject({ contentType: 'image/webp' });
    expect(variant.key).toMatch(/\/own-2x1\.webp$/);
    expect((await space.of(home.workspaceId)).used).toBe(used + begun[0]!.length);
    expect([await filesOf(original.id), await findings(), await readdir(root, { recursive: true })]).toMatchObject([
      1,
      [],
      expect.not.arrayContaining([expect.stringContaining('picture')]),
    ]);
    await one.sweep();
    expect(await storedKeys(storage)).toEqual([original.key, variant.key].sort());
    await remove(original);
    await one.sweep();
    expect([await storedKeys(storage), await findings()]).toEqual([[], []]);
  });

  itInRounds('is made once by a hundred requests at two processes', async () => {
    begun = [];
    const { key, id } = await picture();
    const two = newProcess();
    const served = await Promise.all(Array.from({ length: 100 }, (_, at) => [one, two][at % 2]!.of(key)));
    expect(new Set(served.map((each) => each.key)).size).toBe(1);
    expect([begun.length, await filesOf(id), await findings()]).toEqual([1, 1, []]);
  });

  it('is made of each format that is negotiated', async () => {
    const { key } = await picture();
    for (const accept of ['image/avif,*/*', 'image/webp', '*/*']) {
      for (let again = 0; again < 2; again++) await one.of(key, 'w=64', accept);
    }
    expect(begun.map((options) => options.split('fm=')[1])).toEqual(['avif', 'webp', 'auto']);
  });

  it('is one of few for 10,000 URLs', async () => {
    const { key } = await picture();
    for (let at = 0; at < 10_000; at += 100) {
      const urls = Array.from({ length: 100 }, (_, index) => {
        const [w, q] = [1 + ((at + index) % 2560), 1 + ((at + index) % 100)];
        return `x${at + index}=1&w=${w}&q=${q}&fm=webp`;
      });
      // Not at once: a few are made at a time, and others are refused.
      for (const url of urls) await one.of(key, url);
    }
    expect(begun.length).toBe(12 * 4);
  });

  it('is one of 500 at most: a further one is refused, and those that were made are served', async () => {
    const { key, id } = await picture();
    const others = `insert into file_variants (source_id, options, claimed_until)
      select $1, 'other ' || at, now() from generate_series(1, 499) at`;
    await db.query(others, [id]);
    const { id: last } = await one.of(key);
    expect(await codeOf(one.of(key, 'w=128&fm=webp'))).toBe('conflict');
    expect((await one.of(key)).id).toBe(last);
    expect(begun).toHaveLength(1);
  });

  it('is found by another process that waits, and by none that has waited for 20 seconds', async () => {
    const { key } = await picture();
    const held = hold();
    const first = one.of(key);
    await held.untilBegun(1);
    const impatient = newProcess();
    const refused = codeOf(impatient.of(key));
    await impatient.untilPolling();
    clock.advance(20);
    expect(await refused).toBe('unavailable');
    const patient = newProcess();
    const found = patient.of(key);
    await patient.untilPolling();
    held.release();
    expect((await found).key).toBe((await first).key);
    expect(begun.length).toBe(1);
  });

  it('is made by another process when the first one has not after a minute, and is that of the other', async () => {
    const { key, id } = await picture();
    const held = hold();
    const first = one.of(key);
    await held.untilBegun(1);
    const heldAgain = hold();
    clock.advance(59.999);
    const other = newProcess();
    const second = other.of(key);
    await other.untilPolling();
    expect(begun.length).toBe(1);
    clock.advance(0.001);
    await heldAgain.untilBegun(2);
    held.release();
    const { announced } = one.product.jobs;
    const discarded = async () => {
      while (announced.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await Promise.race([first, discarded()]);
    expect(announced).toMatchObject([{ name: 'files.reclaim' }]);
    heldAgain.release();
    const made = await second;
    expect([(await first).key, begun.length]).toEqual([made.key, 2]);
    await one.sweep();
    expect(await storedKeys(storage)).toEqual([key, made.key].sort());
    expect([await filesOf(id), await findings()]).toEqual([1, []]);
  });

  it('leaves nothing when the picture is deleted meanwhile', async () => {
    const original = await picture();
    const held = hold();
    const call = codeOf(one.of(original.key));
    await held.untilBegun(1);
    await remove(original);
    held.release();
    expect(await call).toBe('not_found');
    expect(await codeOf(one.of(original.key))).toBe('not_found');
    await one.sweep();
    expect([await storedKeys(storage), await findings()]).toEqual([[], []]);
  });

  itInRounds('leaves nothing, whenever the picture is deleted', async (round) => {
    const original = await picture();
    const made = Array.from({ length: 6 }, (_, at) => codeOf(one.of(original.key, `w=64&q=80&h=${64 * (at + 1)}`)));
    await new Promise((resolve) => setTimeout(resolve, 3 * round));
    await remove(original);
    expect(['ok', 'not_found', 'ok,not_found', 'not_found,ok']).toContain([...new Set(await Promise.all(made))].join());
    expect(await findings()).toEqual([]);
    await one.sweep();
    expect([await storedKeys(storage), await findings()]).toEqual([[], []]);
  });

  it.each([
    ['not_an_image', 'validation_failed'],
    ['picture_too_large', 'too_large'],
  ] as const)('that fails by %s is not tried again for a day, by no process', async (failure, code) => {
    const { key, id } = await picture();
    work = async () => {
      throw new SourceFailure(failure, { retryable: false });
    };
    for (const process of [one, one, newProcess()]) expect(await codeOf(process.of(key))).toBe(code);
    clock.advance(86_399);
    expect([await codeOf(one.of(key)), begun.length]).toEqual([code, 1]);
    work = async () => {};
    clock.advance(1);
    expect([await codeOf(one.of(key)), await filesOf(id), await findings()]).toEqual(['ok', 1, []]);
  });

  it('that fails by this machine is tried again at once', async () => {
    const { key } = await picture();
    work = () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' }));
    expect(await codeOf(one.of(key))).toBe('unavailable');
    work = async () => {};
    expect([await codeOf(newProcess().of(key)), begun.length]).toEqual(['ok', 2]);
  });

  it('is refused when the places and the queue are full, and made ones are served', async () => {
    const { key } = await picture();
    await one.of(key);
    const held = hold();
    const heights = [64, 128, 192, 320, 480, 640, 800, 960, 1280];
    // As many as the places and the queue take, and one more.
    const fitting = ['jpeg', 'avif'].flatMap((format) => heights.map((h) => `h=${h}&fm=${format}`));
    const all = [...fitting, 'w=64&fm=png'].map((url) => codeOf(one.of(key, url)));
    expect(await Promise.race(all)).toBe('unavailable');
    await held.untilBegun(3);
    expect([await codeOf(one.of(key)), begun.length]).toEqual(['ok', 3]);
    held.release();
    expect((await Promise.all(all)).toSorted()).toEqual([...fitting.map(() => 'ok'), 'unavailable']);
    expect(await codeOf(one.of(key, 'w=64&fm=png'))).toBe('ok');
  });

  it('whose bytes are missing is made anew', async () => {
    const { key, id } = await picture();
    const lost = await one.of(key);
    await storage.delete([lost.key]);
    const asked = transformationOf(new URLSearchParams('w=64&fm=webp'))!;
    const found = await Promise.all([one, newProcess(), one].map(({ variants }) => variants.again(lost, key, asked)));
    const [next] = found;
    expect(new Set(found.map((each) => each.key)).size).toBe(1);
    expect([next!.key === lost.key, begun.length]).toEqual([false, 2]);
    await one.sweep();
    expect([await storedKeys(storage), await filesOf(id)]).toEqual([[key, next!.key].sort(), 1]);
  });

  it('whose bytes are missing loses its record in the night', async () => {
    const { key, id } = await picture();
    const lost = await one.of(key);
    await storage.delete([lost.key]);
    clock.advance(3 * 86_400);
    expect(await one.product.get(StorageReconciliation).run({ fix: true })).toMatchObject({ lostFiles: 1, removed: 1 });
    expect([await filesOf(id), await codeOf(one.of(key)), await filesOf(id), await findings()]).toEqual([
      0,
      'ok',
      1,
      [],
    ]);
  });

  it('of a thumbnail is a file of its picture', async () => {
    const original = await picture({ contentType: 'video/mp4', filename: 'own.mp4' });
    const thumbnail = await picture();
    await store.unrefer(thumbnail.id);
    await db.query('update files set picture_id = $1 where id = $2', [original.id, thumbnail.id]);
    const variant = await one.of(thumbnail.key);
    await one.sweep();
    expect(await storedKeys(storage)).toEqual([original.key, thumbnail.key, variant.key].sort());
    expect([await filesOf(original.id), await findings()]).toEqual([2, []]);
    await remove(original);
    await one.sweep();
    expect(await storedKeys(storage)).toEqual([]);
  });

  it('ends with a temporary picture', async () => {
    const { key, id } = await picture();
    await store.unrefer(id);
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    await db.query('update files set expires_at = $1 where id = $2', [expiresAt, id]);
    expect(await one.of(key)).toMatchObject({ expiresAt });
    clock.advance(60);
    expect(await codeOf(one.of(key))).toBe('not_found');
    await one.sweep();
    await one.sweep();
    expect([await storedKeys(storage), await findings()]).toEqual([[], []]);
  });

  it.each([
    ['video/mp4', 'own.mp4'],
    ['model/gltf-binary', 'own.glb'],
    ['image/svg+xml', 'own.svg'],
  ])('of %s is refused', async (contentType, filename) => {
    const { key } = await picture({ contentType, filename });
    expect([await codeOf(one.of(key)), begun.length]).toEqual(['validation_failed', 0]);
  });

  it('of a picture with more bytes than are opened is refused', async () => {
    const { key, id } = await picture();
    const setSize = (size: number) => db.query('update files set size = $1 where id = $2', [size, id]);
    await setSize(52_428_801);
    expect([await codeOf(one.of(key)), begun.length]).toEqual(['too_large', 0]);
    await setSize(52_428_800);
    expect(await codeOf(one.of(key))).toBe('ok');
  });
});
