import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileKey, finalize, frozenKey, stagingKey, type AllocatedUpload, type NewFile } from '../index.ts';
import { someToken } from './arbitraries.ts';
import { addFile, addFrozen, anUpload, hoursAfter, someRules, someTime } from './builders.ts';
import type { FileStore, ReferenceKind } from './file-store.ts';

const REFERENCES: readonly ReferenceKind[] = [
  'training',
  'media',
  'image of an open generation',
  'style of an open generation',
  'output',
];

/** What every adapter of `StorageRecords` must do. `make` gives a store whose nights nobody else takes. */
export function storageRecordsContract(name: string, make: () => Promise<FileStore>): void {
  describe(`storage records: ${name}`, () => {
    let store: FileStore;
    let home: { workspaceId: number; userId: number };
    beforeAll(async () => {
      store = await make();
      home = await store.newWorkspace();
      await store.newPersona(home);
    });

    const add = (differences: Partial<NewFile> = {}) => addFile(store, { ...home, ...differences });
    const isAccountedFor = async (key: string) => (await store.records.unaccounted([key])).length === 0;
    const allocate = async (): Promise<AllocatedUpload> => (await store.uploads.allocate(anUpload(home)))!;
    const frozen = () => addFrozen(store, anUpload(home));

    describe('account for an object', () => {
      it('that nobody knows: no, wherever it is, and whatever the others are', async () => {
        const [token, { key }] = [someToken(), await add()];
        const strays = [fileKey(token, 'a.png'), frozenKey(token, 'a'), stagingKey(token)];
        expect([...(await store.records.unaccounted([...strays, key]))].sort()).toEqual([...strays].sort());
        expect(await store.records.unaccounted([])).toEqual([]);
      });

      it('of a file: as long as it is there, and then until its bytes are deleted', async () => {
        const { id, key } = await add({ origin: 'import' });
        expect(await isAccountedFor(key)).toBe(true);
        await store.unitOfWork.run(() => store.discarded.discardUnneeded([id], someTime));
        expect(await isAccountedFor(key)).toBe(true);
        await store.unitOfWork.run(() => store.discarded.takeObjects(someTime, 1000));
        expect(await isAccountedFor(key)).toBe(false);
      });

      it('whose key is reserved: yes', async () => {
        const key = fileKey(someToken(), 'a.png');
        await store.files.reserve(key, someTime);
        expect(await isAccountedFor(key)).toBe(true);
      });

      it('of an upload under way: yes, in the staging place and frozen', async () => {
        const { token } = await allocate();
        expect(await isAccountedFor(stagingKey(token))).toBe(true);
        const upload = await frozen();
        expect(await isAccountedFor(upload.frozenKey)).toBe(true);
        expect(await isAccountedFor(stagingKey(upload.token))).toBe(true);
      });

      it('of a finalized upload: in the staging place, until it is cleaned up', async () => {
        const upload = await frozen();
        const done = await store.uploads.finalize(finalize(upload, someRules(), someTime));
        expect(await isAccountedFor(done!.file.key)).toBe(true);
        expect(await isAccountedFor(stagingKey(upload.token))).toBe(true);
        expect(await isAccountedFor(upload.frozenKey)).toBe(false);
        await store.unitOfWork.run(() => store.uploads.settle([upload.id]));
        expect(await isAccountedFor(stagingKey(upload.token))).toBe(false);
        expect(await isAccountedFor(done!.file.key)).toBe(true);
      });
    });

    it('give the files by id, from after one on, without those that are too young', async () => {
      const last = (await add()).id;
      const [one, two] = [await add(), await add()];
      const young = await add({ createdAt: hoursAfter(someTime, 1) });
      const after = async (id: number | null, before: Date, limit = 100) =>
        (await store.records.filesAfter(id, before, limit)).map((file) => file.id);
      expect(await store.records.filesAfter(last, hoursAfter(someTime, 1), 1)).toEqual([{ id: one.id, key: one.key }]);
      expect(await after(last, hoursAfter(someTime, 1))).toEqual([one.id, two.id]);
      expect(await after(one.id, hoursAfter(someTime, 1.01))).toEqual([two.id, young.id]);
      expect(await after(young.id, hoursAfter(someTime, 2))).toEqual([]);
      expect(await after(null, hoursAfter(someTime, 1), 1)).not.toEqual([]);
    });

    it('tell which files are still there', async () => {
      const [kept, gone] = [await add({ origin: 'import' }), await add({ origin: 'import' })];
      await store.unitOfWork.run(() => store.discarded.discardUnneeded([gone.id], someTime));
      expect(await store.records.existing([kept.id, gone.id])).toEqual([kept.id]);
      expect(await store.records.existing([])).toEqual([]);
    });

    it.each(REFERENCES)('keep the record of a file that a %s refers to', async (kind) => {
      const [used, unused] = [await add(), await add()];
      await store.refer(kind, used.id);
      expect(await store.records.removeUnreferenced([used.id, unused.id])).toEqual([unused.id]);
      expect(await store.records.existing([used.id, unused.id])).toEqual([used.id]);
      await store.unrefer(used.id);
      expect(await store.records.removeUnreferenced([used.id])).toEqual([used.id]);
    });

    it('give the turn of a day to one of many, and go on where the last one was', async () => {
      const evening = new Date('2100-03-14T23:59:59.999Z');
      const take = (now: Date) =>
        Promise.all(Array.from({ length: 10 }, () => store.records.claimNight(now))).then((turns) =>
          turns.filter((turn) => turn !== null),
        );
      expect(await take(evening)).toHaveLength(1);
      await store.records.saveCursor({ object: 'files/a/a.png', file: 7 });
      expect(await take(evening)).toEqual([]);
      const midnight = new Date(evening.getTime() + 1);
      expect(await take(midnight)).toEqual([{ object: 'files/a/a.png', file: 7 }]);
      await store.records.saveCursor({ object: null, file: null });
      // A clock that was set back takes no day twice.
      expect(await take(evening)).toEqual([]);
      expect(await take(hoursAfter(midnight, 24))).toEqual([{ object: null, file: null }]);
    });
  });
}
