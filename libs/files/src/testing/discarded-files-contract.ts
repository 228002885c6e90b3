import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileKey, type DiscardedFiles, type NewFile, type StoredFile } from '../index.ts';
import { someToken } from './arbitraries.ts';
import { addFile, addFinalized, aFile, anUpload, hoursAfter, someTime } from './builders.ts';
import type { FileStore, ReferenceKind } from './file-store.ts';

const LASTING: readonly ReferenceKind[] = [
  'training',
  'media',
  'image of an open generation',
  'style of an open generation',
];

/** What every adapter of `DiscardedFiles` must do. `make` gives a store that nobody else uses. */
export function discardedFilesContract(name: string, make: () => Promise<FileStore>): void {
  describe(`discarded files: ${name}`, () => {
    let store: FileStore;
    let home: { workspaceId: number; userId: number };
    beforeAll(async () => {
      store = await make();
      home = await store.newWorkspace();
    });

    const within = <T>(work: (discarded: DiscardedFiles) => Promise<T>) =>
      store.unitOfWork.run(() => work(store.discarded));
    const add = (differences: Partial<NewFile> = {}) => addFile(store, { ...home, ...differences });
    const isThere = async (file: StoredFile) => (await store.files.find(file.id)) !== null;
    const offer = (...files: StoredFile[]) =>
      within((discarded) =>
        discarded.discardUnneeded(
          files.map((file) => file.id),
          someTime,
        ),
      );
    const newPersona = () => store.newPersona(home);
    const upload = (personaId: number, filename = 'picture.png') =>
      addFinalized(store, anUpload({ ...home, personaId, filename }));

    describe('an offered file', () => {
      it('is gone when it is a copy that nothing refers to, or an output that no generation has', async () => {
        const personaId = await newPersona();
        for (const facts of [{ personaId: null }, { personaId }, { personaId, origin: 'output' as const }]) {
          const file = await add(facts);
          await offer(file);
          expect(await isThere(file)).toBe(false);
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

      it('is kept when it is an upload and its persona is there', async () => {
        const { file } = await upload(await newPersona());
        await offer(file);
        expect(await isThere(file)).toBe(true);
      });

      it('is kept when it is an output that a generation has, until its persona is deleted', async () => {
        const personaId = await newPersona();
        const [owned, ownerless] = [
          await add({ origin: 'output', personaId }),
          await add({ origin: 'output', personaId: null }),
        ];
        await store.refer('output', owned.id);
        await store.refer('output', ownerless.id);
        await offer(owned, ownerless);
        expect([await isThere(owned), await isThere(ownerless)]).toEqual([true, true]);
        await store.deletePersona(personaId);
        await offer(owned, ownerless);
        expect([await isThere(owned), await isThere(ownerless)]).toEqual([false, true]);
      });

      it('may be one of many, or unknown', async () => {
        const [one, kept, other] = [await add(), await add(), await add()];
        await store.refer('training', kept.id);
        const held = await within((discarded) =>
          discarded.discardUnneeded([one.id, kept.id, 999_999_999, other.id], someTime),
        );
        expect(held).toEqual([]);
        expect(await Promise.all([one, kept, other].map(isThere))).toEqual([false, true, false]);
        expect(await within((discarded) => discarded.discardUnneeded([], someTime))).toEqual([]);
      });
    });

    describe('a temporary file', () => {
      it('is gone when its time is over, not before, and its upload is expired then', async () => {
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
        const files = [
          await add({ expiresAt: soon }),
          await add({ expiresAt: someTime }),
          await add({ expiresAt: soon }),
        ];
        const sweep = () => within((discarded) => discarded.discardExpired(soon, soon, 2));
        expect(await sweep()).toBe(2);
        expect(await isThere(files[1]!)).toBe(false);
        expect(await sweep()).toBe(1);
        expect(await Promise.all(files.map(isThere))).toEqual([false, false, false]);
      });
    });

    describe('a file that was added', () => {
      const reviewAt = (hours: number) =>
        within((discarded) => discarded.reviewAdded(hoursAfter(someTime, hours), 1000));

      it('is gone an hour later when nothing needs it, and is left alone after that when something does', async () => {
        await reviewAt(1);
        const [forgotten, used] = [await add(), await add()];
        await store.refer('training', used.id);
        expect(await reviewAt(0.99)).toBe(0);
        expect(await isThere(forgotten)).toBe(true);
        expect(await reviewAt(1)).toBe(2);
        expect([await isThere(forgotten), await isThere(used)]).toEqual([false, true]);
        await store.unrefer(used.id);
        expect(await reviewAt(2)).toBe(0);
        expect(await isThere(used)).toBe(true);
      });

      it('is not looked at when it is an upload', async () => {
        const { file } = await upload(await newPersona());
        await store.deletePersona(file.personaId!);
        expect(await reviewAt(2)).toBe(0);
      });
    });

    describe('a file of a persona', () => {
      const part = (personaId: number, limit = 1000) =>
        within((discarded) => discarded.detachFromPersona(personaId, someTime, limit));

      it('stays with it until it is deleted', async () => {
        const personaId = await newPersona();
        const { file } = await upload(personaId);
        expect(await part(personaId)).toBe(0);
        expect(await store.files.find(file.id)).toEqual(file);
      });

      it('goes with it, whatever it is, unless something else refers to it', async () => {
        const personaId = await newPersona();
        const gone = [
          (await upload(personaId)).file,
          (await upload(personaId, 'x12tmp-picture.png')).file,
          await add({ origin: 'import', personaId }),
          await add({ origin: 'output', personaId }),
        ];
        await store.refer('output', gone[3]!.id);
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
        expect(await Promise.all(gone.map(isThere))).toEqual(gone.map(() => false));
        for (const file of kept) {
          expect(await store.files.find(file.id)).toEqual({ ...file, personaId: null });
        }
        await offer(kept[0]!);
        expect(await isThere(kept[0]!)).toBe(true);
        await store.unrefer(kept[0]!.id);
        await offer(kept[0]!);
        expect(await isThere(kept[0]!)).toBe(false);
        expect(await isThere(another)).toBe(true);
      });

      it('keeps the record of its persona until its own is removed', async () => {
        const personaId = await newPersona();
        const { id } = await upload(personaId);
        const removePersona = () => within((discarded) => discarded.removePersona(personaId));
        expect(await removePersona()).toBe(true);
        expect(await store.hasPersona(personaId)).toBe(true);

        await store.deletePersona(personaId);
        expect(await removePersona()).toBe(false);
        await part(personaId);
        expect(await removePersona()).toBe(false);
        await store.unitOfWork.run(() => store.uploads.drop([id]));
        expect(await removePersona()).toBe(true);
        expect(await store.hasPersona(personaId)).toBe(false);
        expect(await removePersona()).toBe(true);
      });
    });

    describe('an object', () => {
      const take = (now: Date, limit = 1000) => within((discarded) => discarded.takeObjects(now, limit));

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
}
