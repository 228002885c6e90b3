/** @tier test */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_CUSTOM_DATA } from '#kernel';
import {
  fileKey,
  finalize,
  freeze,
  frozenKey,
  stagingKey,
  type AllocatedUpload,
  type DiscardedFiles,
  type FrozenUpload,
  type NewFile,
  type NewUpload,
  type StoredFile,
  MARKINGS,
  NOTHING_SEEN,
} from '#files';
import {
  addFile,
  addFinalized,
  addFrozen,
  allocateOne,
  aFile,
  anUpload,
  filenames,
  hoursAfter,
  someRules,
  someTime,
  someToken,
  times,
} from '#testing/files';
import { suiteDatabase } from '../support/suite-database.ts';
import { fileStoreOn, LASTING } from '../support/file-store.ts';

const db = await suiteDatabase();
const store = fileStoreOn(db.database);
const home = await store.newWorkspace();
const personaId = await store.newPersona(home);

const add = (differences: Partial<NewFile> = {}) => addFile(store, { ...home, ...differences });
const newPersona = () => store.newPersona(home);
const within = <T>(work: (discarded: DiscardedFiles) => Promise<T>) =>
  store.unitOfWork.run(() => work(store.discarded));
const offer = (...files: { id: number }[]) => {
  const ids = files.map(({ id }) => id);
  return within(async (discarded) => (await discarded.decide(ids, someTime)).locked);
};
const areThere = (...files: { id: number }[]) =>
  Promise.all(files.map(async ({ id }) => (await store.files.find(id)) !== null));
const isThere = async (file: { id: number }) => (await areThere(file))[0];
const uploadFor = (differences: Partial<NewUpload> = {}) => anUpload({ ...home, personaId, ...differences });

describe('files', () => {
  const lock = (workspaceId: number, key: string) =>
    store.unitOfWork.run(() => store.files.lockByKey(workspaceId, key));

  it('come back as they were added, by key and by id', async () => {
    const file = fc
      .record({
        personaId: fc.constantFrom(personaId, null),
        origin: fc.constantFrom('import' as const, 'output' as const, 'upload' as const),
        filename: filenames,
        size: fc.maxSafeNat(),
        contentType: fc.constantFrom('image/png', 'video/mp4', 'model/gltf+json'),
        createdAt: times,
        expiresAt: fc.option(times),
        marking: fc.option(fc.constantFrom(...MARKINGS)),
      })
      .map((parts) => aFile({ ...parts, workspaceId: home.workspaceId }));
    await fc.assert(
      fc.asyncProperty(file, async (given) => {
        const added = await add(given);
        const { seen: _, isPrivate: __, ...rest } = given;
        const { look: ___, ...unseen } = NOTHING_SEEN;
        expect(added).toEqual({ ...rest, ...unseen, ...NO_CUSTOM_DATA, id: added.id });
        expect(await store.files.find(added.id)).toEqual(added);
        expect(await lock(home.workspaceId, given.key)).toEqual(added);
      }),
      { numRuns: 50 },
    );
  });

  it('are added under a reserved key, once, and without a persona that was deleted before', async () => {
    const deleted = await newPersona();
    await store.deletePersona(deleted);
    const file = aFile({ ...home, personaId: deleted });
    await expect(store.files.add(file)).rejects.toMatchObject({ code: 'conflict' });
    expect((await add(file)).personaId).toBeNull();
    await expect(store.files.add(file)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of a persona are listed newest first, in pages or whole', async () => {
    const owner = await newPersona();
    const added: StoredFile[] = [];
    for (let count = 0; count < 5; count++) added.push(await add({ personaId: owner }));
    await add({ personaId });
    const newestFirst = added.toReversed();
    const list = (limit: number | null, after: number | null = null) =>
      store.files.list(home.workspaceId, owner, { limit, after }, someTime);

    expect(await list(null)).toEqual({ items: newestFirst, next: null });
    expect(await list(5)).toEqual({ items: newestFirst, next: null });
    expect(await list(2)).toEqual({ items: newestFirst.slice(0, 2), next: newestFirst[1]!.id });
    expect(await list(2, newestFirst[1]!.id)).toEqual({ items: newestFirst.slice(2, 4), next: newestFirst[3]!.id });
    expect(await list(2, newestFirst[3]!.id)).toEqual({ items: newestFirst.slice(4), next: null });
    expect(await list(2, newestFirst[4]!.id)).toEqual({ items: [], next: null });
  });

  it('of a persona are listed by whether they are temporary', async () => {
    const owner = await newPersona();
    const temporary = await add({ personaId: owner, expiresAt: hoursAfter(someTime, 12) });
    const permanent = await add({ personaId: owner });
    const list = async (of?: boolean) =>
      (await store.files.list(home.workspaceId, owner, { limit: 10, after: null }, someTime, of))!.items;
    expect(await list(true)).toEqual([temporary]);
    expect(await list(false)).toEqual([permanent]);
    expect(await list()).toEqual([permanent, temporary]);
  });

  it('of a persona are listed until their time is over, and only while it is there, in its workspace', async () => {
    const owner = await newPersona();
    const file = await add({ personaId: owner, expiresAt: hoursAfter(someTime, 12) });
    const list = (hours: number, { workspaceId } = home, of = owner) =>
      store.files.list(workspaceId, of, { limit: 10, after: null }, hoursAfter(someTime, hours));
    expect(await list(11.99)).toEqual({ items: [file], next: null });
    expect(await list(12)).toEqual({ items: [], next: null });
    expect(await list(0, await store.newWorkspace())).toBeNull();
    expect(await list(0, home, 999_999_999)).toBeNull();
    await store.deletePersona(owner);
    expect(await list(0)).toBeNull();
  });
});

describe('storage records', () => {
  const isAccountedFor = async (key: string) => (await store.records.unaccounted([key])).length === 0;

  it('account for an upload under every key while it is under way, and where it was sent to until it is cleaned up', async () => {
    const key = fileKey(someToken(), 'a.png');
    await store.files.reserve(key, home.workspaceId, someTime);
    expect(await isAccountedFor(key)).toBe(true);
    const { token } = (await allocateOne(store.uploads, uploadFor()))!;
    expect(await isAccountedFor(stagingKey(token))).toBe(true);

    const upload = await addFrozen(store, uploadFor());
    const [staged, frozen] = [stagingKey(upload.token), upload.frozenKey];
    expect(await store.records.unaccounted([staged, frozen])).toEqual([]);
    const { file } = (await store.uploads.finalize(finalize(upload, someRules(), someTime)))!;
    expect(await store.records.unaccounted([staged, frozen, file.key])).toEqual([frozen]);
    await store.unitOfWork.run(() => store.uploads.finish([upload.id]));
    expect(await store.records.unaccounted([staged, file.key])).toEqual([staged]);
  });

  it('list the files by id after a cursor, without recent files', async () => {
    const last = (await add()).id;
    const [one, two] = [await add(), await add()];
    const young = await add({ createdAt: hoursAfter(someTime, 1) });
    const after = async (id: number | null, before: Date, limit = 100) =>
      (await store.records.filesAfter(id, before, limit)).map((file) => file.id);
    expect(await store.records.filesAfter(last, hoursAfter(someTime, 1), 1)).toEqual([
      { id: one.id, key: one.key, isPrivate: false },
    ]);
    expect(await after(last, hoursAfter(someTime, 1))).toEqual([one.id, two.id]);
    expect(await after(one.id, hoursAfter(someTime, 1.01))).toEqual([two.id, young.id]);
    expect(await after(young.id, hoursAfter(someTime, 2))).toEqual([]);
    expect(await after(null, hoursAfter(someTime, 1), 1)).not.toEqual([]);
  });

  it.each([...LASTING, 'output', 'thumbnail'] as const)(
    'keep the record of a file that a %s refers to',
    async (kind) => {
      const [used, unused] = [await add(), await add()];
      await store.refer(kind, used.id);
      expect(await store.records.existing([])).toEqual([]);
      expect(await store.records.existing([used.id, unused.id])).toHaveLength(2);
      expect(await store.records.removeUnreferenced([used.id, unused.id])).toEqual([unused.id]);
      expect(await store.records.existing([used.id, unused.id])).toEqual([used.id]);
      await store.unrefer(used.id);
      expect(await store.records.removeUnreferenced([used.id])).toEqual([used.id]);
    },
  );

  it('give the turn of a day to one of many, and go on where the last one was', async () => {
    const evening = new Date('2100-03-14T23:59:59.999Z');
    const take = async (now: Date) => {
      const turns = await Promise.all(Array.from({ length: 10 }, () => store.records.claimNight(now)));
      return turns.filter((turn) => turn !== null);
    };
    expect(await take(evening)).toHaveLength(1);
    const found = { objects: 1, strayObjects: 0, files: 1, lostFiles: 0, removed: 0, examples: [] };
    await store.records.saveNight({ object: 'files/a/a.png', file: 7 }, found, evening);
    expect(await take(evening)).toEqual([]);
    const midnight = new Date(evening.getTime() + 1);
    expect(await take(midnight)).toEqual([{ object: 'files/a/a.png', file: 7 }]);
    await store.records.saveNight({ object: null, file: null }, found, midnight);
    // A clock that was set back takes no day twice.
    expect(await take(evening)).toEqual([]);
    expect(await take(hoursAfter(midnight, 24))).toEqual([{ object: null, file: null }]);
  });
});

describe('uploads', () => {
  const find = (upload: { token: string }) => store.uploads.find(home.workspaceId, upload.token);
  const frozenFrom = (upload: AllocatedUpload, size = 1234): FrozenUpload =>
    freeze(upload, { key: frozenKey(upload.token, someToken()), size, marking: 'kept', isPrivate: false }, someTime);
  const finalized = (upload: FrozenUpload) => store.uploads.finalize(finalize(upload, someRules(), someTime));
  const frozen = (differences: Partial<NewUpload> = {}) => addFrozen(store, uploadFor(differences), 1234);

  it('come back as they were allocated, frozen and finalized', async () => {
    const given = fc.record({
      filename: filenames,
      parts: fc.option(
        fc.record({
          id: fc.string({ minLength: 1, unit: 'binary-ascii' }).filter((id) => !id.includes('\0')),
          count: fc.integer({ min: 1, max: 10_000 }),
        }),
      ),
      createdAt: times,
      expiresAt: times,
      cleanUpAt: times,
    });
    await fc.assert(
      fc.asyncProperty(given, fc.maxSafeNat(), async (facts, size) => {
        const upload = uploadFor(facts);
        const first = (await allocateOne(store.uploads, upload))!;
        expect(first).toEqual({ ...upload, id: first.id, state: 'allocated' });
        expect(await find(first)).toEqual(first);

        const second = frozenFrom(first, size);
        expect(await store.uploads.freeze(second)).toBe(true);
        expect(await find(first)).toEqual(second);

        const third = await finalized(second);
        expect(third).toMatchObject({ id: first.id, state: 'finalized', file: { size, personaId } });
        expect(await find(first)).toEqual(third);
        expect(await store.files.find(third!.file.id)).toEqual(third!.file);
      }),
      { numRuns: 50 },
    );
  });

  it('without a persona, go to the first that the user made in the workspace', async () => {
    const workspace = await store.newWorkspace();
    const other = await store.newWorkspace();
    await store.newPersona({ workspaceId: workspace.workspaceId, userId: other.userId });
    await store.newPersona({ workspaceId: other.workspaceId, userId: workspace.userId });
    const first = await store.newPersona(workspace);
    const second = await store.newPersona(workspace);
    const target = async () => (await allocateOne(store.uploads, anUpload(workspace)))?.personaId;
    expect(await target()).toBe(first);
    await store.deletePersona(first);
    expect(await target()).toBe(second);
    await store.deletePersona(second);
    expect(await target()).toBeUndefined();
  });

  it('with a persona of any creator belong to the persona, unless it is in another workspace, deleted or unknown', async () => {
    const outsider = await store.newWorkspace();
    const deleted = await newPersona();
    await store.deletePersona(deleted);
    const guest = { workspaceId: home.workspaceId, userId: outsider.userId };
    expect(await allocateOne(store.uploads, anUpload({ ...guest, personaId }))).toMatchObject({ ...guest, personaId });
    for (const target of [await store.newPersona(outsider), deleted, 999_999_999]) {
      const upload = uploadFor({ personaId: target });
      expect(await allocateOne(store.uploads, upload)).toBeNull();
      expect(await find(upload)).toBeNull();
    }
  });

  it('are added together, all or none, whatever others add at the same time', async () => {
    const missing = uploadFor({ personaId: 999_999_999 });
    const [many, none, one] = [[uploadFor(), anUpload(home)], [uploadFor(), missing, missing], [uploadFor()]];
    const results = await Promise.all([many, none, one].map((uploads) => store.uploads.allocate(uploads)));
    const placed = ({ token }: NewUpload) => ({ token, personaId, state: 'allocated', id: expect.any(Number) });
    expect(results).toEqual([
      many.map((each) => expect.objectContaining(placed(each))),
      { missing: [1, 2] },
      one.map((each) => expect.objectContaining(placed(each))),
    ]);
    for (const each of [...many, ...one]) expect(await find(each)).toMatchObject(placed(each));
    for (const each of none) expect(await find(each)).toBeNull();
  });

  it('are thawed and finalized only from the key that they are frozen under', async () => {
    const upload = await frozen();
    const other = { ...upload, frozenKey: frozenKey(upload.token, 'another') };
    await store.uploads.thaw(other);
    expect(await finalized(other)).toBeNull();
    expect(await find(upload)).toEqual(upload);
    await store.uploads.thaw(upload);
    expect(await find(upload)).toMatchObject({ id: upload.id, state: 'allocated' });
    expect(await finalized(upload)).toBeNull();
  });
});

describe('discarded files', () => {
  const upload = (personaId: number, filename = 'picture.png') =>
    addFinalized(store, uploadFor({ personaId, filename }));

  describe('an offered file', () => {
    it('is deleted if it is an unused copy, or an output without a generation', async () => {
      const personaId = await newPersona();
      for (const facts of [{ personaId: null }, { personaId }, { personaId, origin: 'output' as const }]) {
        const file = await add(facts);
        await offer(file);
        expect(await isThere(file)).toBe(false);
        expect(await store.unitOfWork.run(() => store.files.lockByKey(home.workspaceId, file.key))).toBeNull();
      }
    });

    it.each(LASTING)('is kept as long as there is a %s', async (kind) => {
      const file = await add({ origin: 'import' });
      await store.refer(kind, file.id);
      await offer(file);
      expect(await isThere(file)).toBe(true);
      await store.unrefer(file.id);
      await offer(file);
      expect(await isThere(file)).toBe(false);
    });

    it('is kept when it is an upload, an output or the thumbnail of one, until its persona is deleted', async () => {
      const personaId = await newPersona();
      const { file: uploaded } = await upload(personaId);
      const owned = await add({ origin: 'output', personaId });
      const ownerless = await add({ origin: 'output', personaId: null });
      for (const output of [owned, ownerless]) await store.refer('output', output.id);
      const thumbnail = await add({ origin: 'output', personaId });
      await store.refer('thumbnail', thumbnail.id);
      await offer(uploaded, owned, ownerless, thumbnail);
      expect(await areThere(uploaded, owned, ownerless, thumbnail)).toEqual([true, true, true, true]);
      await store.deletePersona(personaId);
      await offer(owned, ownerless, thumbnail);
      expect(await areThere(owned, ownerless, thumbnail)).toEqual([false, true, false]);
    });
  });

  it('an added file is checked once after an hour, and deleted if unused', async () => {
    const reviewAt = (hours: number) => within((discarded) => discarded.reviewAdded(hoursAfter(someTime, hours), 1000));
    await reviewAt(1);
    const [forgotten, used] = [await add(), await add()];
    await store.refer('training', used.id);
    expect(await reviewAt(0.99)).toBe(0);
    expect(await isThere(forgotten)).toBe(true);
    expect(await reviewAt(1)).toBe(2);
    expect(await areThere(forgotten, used)).toEqual([false, true]);
    await store.unrefer(used.id);
    const { file: uploaded } = await upload(await newPersona());
    await store.deletePersona(uploaded.personaId!);
    expect(await reviewAt(1)).toBe(0);
    expect(await areThere(used, uploaded)).toEqual([true, true]);
  });

  it('a file of a persona stays until that is deleted, and goes then with its outputs', async () => {
    const owner = await newPersona();
    const files = [(await upload(owner)).file, await add({ origin: 'output', personaId: owner })];
    await store.refer('output', files[1]!.id);
    const another = await add({ personaId: await newPersona() });
    const part = () => within((discarded) => discarded.detachFromPersona(owner, someTime, 1000));
    expect(await part()).toBe(0);
    await store.deletePersona(owner);
    expect(await part()).toBe(2);
    expect(await areThere(...files, another)).toEqual([false, false, true]);
  });

  describe('an object', () => {
    const takeAll = (now: Date, limit = 1000) => within((discarded) => discarded.takeObjects(now, limit));
    const take = async (now: Date, limit?: number) => (await takeAll(now, limit)).toDelete;

    it('is deleted at once when its time is over before it is taken', async () => {
      await take(hoursAfter(someTime, 1000));
      const late = await add();
      await within((discarded) => discarded.decide([late.id], someTime, hoursAfter(someTime, 1)));
      expect(await takeAll(hoursAfter(someTime, 1))).toEqual({ toDelete: [late.key], toKeep: [] });
    });

    it('is taken an hour after its key was reserved when no file was added for it', async () => {
      const [used, abandoned, young] = Array.from({ length: 3 }, () => fileKey(someToken(), 'a.png'));
      await store.files.reserve(used!, home.workspaceId, someTime);
      await store.files.reserve(abandoned!, home.workspaceId, someTime);
      await store.files.reserve(young!, home.workspaceId, hoursAfter(someTime, 1));
      await store.files.add(aFile({ ...home, key: used! }));
      expect(await take(hoursAfter(someTime, 0.99))).toEqual([]);
      expect(await take(hoursAfter(someTime, 1))).toEqual([abandoned]);
      expect(await take(hoursAfter(someTime, 1))).toEqual([]);
      await expect(store.files.add(aFile({ ...home, key: abandoned! }))).rejects.toMatchObject({ code: 'conflict' });
      expect(await take(hoursAfter(someTime, 2))).toEqual([young]);
    });
  });
});
