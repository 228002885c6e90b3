import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileKey, keptKey, type DiscardedFiles, type NewFile, type NewUpload, type StoredFile } from '#files';
import {
  addFile,
  addFinalized,
  aFile,
  anUpload,
  hoursAfter,
  someTime,
  someToken,
  type FileStore,
} from '#testing/files';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { fileStoreOn, LASTING } from '../support/file-store.ts';

let db: TestDatabase;
let store: FileStore;
let home: { workspaceId: number; userId: number };
let personaId: number;
beforeAll(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
  home = await store.newWorkspace();
  personaId = await store.newPersona(home);
});
afterAll(() => db.drop());

const add = (differences: Partial<NewFile> = {}) => addFile(store, { ...home, ...differences });
const newPersona = () => store.newPersona(home);
const within = <T>(work: (discarded: DiscardedFiles) => Promise<T>) =>
  store.unitOfWork.run(() => work(store.discarded));
const offer = (...files: { id: number }[]) => {
  const ids = files.map(({ id }) => id);
  return within(async (discarded) => (await discarded.settle(ids, someTime)).locked);
};
const areThere = (...files: { id: number }[]) =>
  Promise.all(files.map(async ({ id }) => (await store.files.find(id)) !== null));
const isThere = async (file: { id: number }) => (await areThere(file))[0];
const uploadFor = (differences: Partial<NewUpload> = {}) => anUpload({ ...home, personaId, ...differences });

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

    it('may be one of many, or unknown', async () => {
      const [one, kept, other] = [await add(), await add(), await add()];
      await store.refer('training', kept.id);
      expect(await offer(one, kept, { id: 999_999_999 }, other)).toEqual([]);
      expect(await areThere(one, kept, other)).toEqual([false, true, false]);
      expect(await offer()).toEqual([]);
    });
  });

  describe('a temporary file', () => {
    it('is deleted at its expiry, when its upload expires too', async () => {
      const { file, token } = await upload(await newPersona(), 'x12tmp-picture.png');
      const end = file.expiresAt!;
      const sweep = (now: Date) => within((discarded) => discarded.discardExpired(now, hoursAfter(now, 720), 1000));
      expect(await sweep(new Date(end.getTime() - 1))).toBe(0);
      expect(await isThere(file)).toBe(true);
      expect(await sweep(end)).toBe(1);
      expect(await isThere(file)).toBe(false);
      expect(await store.uploads.find(home.workspaceId, token)).toMatchObject({
        state: 'expired',
        cleanUpAt: hoursAfter(end, 720),
      });
      expect(await sweep(end)).toBe(0);
    });

    it('is one of a batch, the oldest first', async () => {
      const soon = hoursAfter(someTime, 1);
      const files: StoredFile[] = [];
      for (const expiresAt of [soon, someTime, soon]) files.push(await add({ expiresAt }));
      const sweep = () => within((discarded) => discarded.discardExpired(soon, soon, 2));
      expect(await sweep()).toBe(2);
      expect(await isThere(files[1]!)).toBe(false);
      expect(await sweep()).toBe(1);
      expect(await areThere(...files)).toEqual([false, false, false]);
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
    expect(await reviewAt(2)).toBe(0);
    expect(await areThere(used, uploaded)).toEqual([true, true]);
  });

  describe('a file of a persona', () => {
    const part = (personaId: number, limit = 1000) =>
      within((discarded) => discarded.detachFromPersona(personaId, someTime, limit));

    it('stays until that is deleted, and goes then, whatever it is, unless something else refers to it', async () => {
      const personaId = await newPersona();
      const gone = [
        (await upload(personaId)).file,
        (await upload(personaId, 'x12tmp-picture.png')).file,
        await add({ origin: 'import', personaId }),
        await add({ origin: 'output', personaId }),
      ];
      await store.refer('output', gone[3]!.id);
      expect(await part(personaId)).toBe(0);
      expect(await store.files.find(gone[0]!.id)).toEqual(gone[0]);
      const kept: StoredFile[] = [];
      for (const kind of LASTING) {
        const { file } = await upload(personaId);
        await store.refer(kind, file.id);
        kept.push(file);
      }
      const another = await add({ personaId: await newPersona() });
      await store.deletePersona(personaId);

      expect(await part(personaId, 3)).toBe(3);
      expect(await part(personaId)).toBe(gone.length + kept.length - 3);
      expect(await part(personaId)).toBe(0);
      expect(await areThere(...gone)).toEqual(gone.map(() => false));
      for (const file of kept) expect(await store.files.find(file.id)).toEqual({ ...file, personaId: null });
      await offer(kept[0]!);
      expect(await isThere(kept[0]!)).toBe(true);
      await store.unrefer(kept[0]!.id);
      await offer(kept[0]!);
      expect(await areThere(kept[0]!, another)).toEqual([false, true]);
    });
  });

  describe('an object', () => {
    const takeAll = (now: Date, limit = 1000) => within((discarded) => discarded.takeObjects(now, limit));
    const take = async (now: Date, limit?: number) => (await takeAll(now, limit)).toDelete;

    it('is taken once its file is gone, a few at a time', async () => {
      await take(hoursAfter(someTime, 1000));
      const files = [await add(), await add(), await add()];
      const kept = await add();
      await store.refer('training', kept.id);
      await offer(...files, kept);
      const [some, others] = [await take(someTime, 2), await take(someTime, 2)];
      expect([some.length, others.length]).toEqual([2, 1]);
      expect([...some, ...others].sort()).toEqual(files.map((file) => file.key).sort());
      expect(await take(someTime)).toEqual([]);
    });

    it('is kept until its time is over, and taken again then; of a temporary file it is not kept', async () => {
      await take(hoursAfter(someTime, 1000));
      const kept = await add();
      const temporary = await add({ expiresAt: hoursAfter(someTime, 12) });
      const ids = [kept.id, temporary.id];
      await within((discarded) => discarded.settle(ids, someTime, hoursAfter(someTime, 24)));
      expect(await takeAll(someTime)).toEqual({ toDelete: [temporary.key], toKeep: [kept.key] });
      expect(await takeAll(hoursAfter(someTime, 23.99))).toEqual({ toDelete: [], toKeep: [] });
      expect(await store.records.unaccounted([keptKey(kept.key)])).toEqual([]);
      expect(await takeAll(hoursAfter(someTime, 24))).toEqual({ toDelete: [keptKey(kept.key)], toKeep: [] });
      expect(await store.records.unaccounted([keptKey(kept.key)])).toEqual([keptKey(kept.key)]);
    });

    it('is deleted at once when its time is over before it is taken', async () => {
      await take(hoursAfter(someTime, 1000));
      const late = await add();
      await within((discarded) => discarded.settle([late.id], someTime, hoursAfter(someTime, 1)));
      expect(await takeAll(hoursAfter(someTime, 1))).toEqual({ toDelete: [late.key], toKeep: [] });
    });

    it('is taken an hour after its key was reserved when no file was added for it', async () => {
      const [used, abandoned, young] = Array.from({ length: 3 }, () => fileKey(someToken(), 'a.png'));
      await store.files.reserve(used!, someTime);
      await store.files.reserve(abandoned!, someTime);
      await store.files.reserve(young!, hoursAfter(someTime, 1));
      await store.files.add(aFile({ ...home, key: used! }));
      expect(await take(hoursAfter(someTime, 0.99))).toEqual([]);
      expect(await take(hoursAfter(someTime, 1))).toEqual([abandoned]);
      expect(await take(hoursAfter(someTime, 1))).toEqual([]);
      await expect(store.files.add(aFile({ ...home, key: abandoned! }))).rejects.toMatchObject({ code: 'conflict' });
      expect(await take(hoursAfter(someTime, 2))).toEqual([young]);
    });
  });
});
