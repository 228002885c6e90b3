import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fileKey, type NewFile, type StoredFile } from '../index.ts';
import { filenames, someToken, times } from './arbitraries.ts';
import { addFile, aFile, hoursAfter, someTime } from './builders.ts';
import type { FileStore } from './file-store.ts';

/** What every adapter of `Files` must do. `make` may give the same store each time. */
export function filesContract(name: string, make: () => Promise<FileStore>): void {
  describe(`files: ${name}`, () => {
    let store: FileStore;
    let home: { workspaceId: number; userId: number };
    let personaId: number;
    beforeAll(async () => {
      store = await make();
      home = await store.newWorkspace();
      personaId = await store.newPersona(home);
    });

    const add = (differences: Partial<NewFile> = {}) => addFile(store, { ...home, ...differences });
    const hold = (workspaceId: number, key: string) =>
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
        })
        .map((parts) => aFile({ ...parts, workspaceId: home.workspaceId }));
      await fc.assert(
        fc.asyncProperty(file, async (given) => {
          const added = await add(given);
          expect(added).toEqual({ ...given, id: added.id });
          expect(await store.files.find(added.id)).toEqual(added);
          expect(await hold(home.workspaceId, given.key)).toEqual(added);
        }),
        { numRuns: 50 },
      );
    });

    it('are not there for another workspace, or under another key', async () => {
      const file = await add();
      const stranger = await store.newWorkspace();
      expect(await hold(stranger.workspaceId, file.key)).toBeNull();
      expect(await hold(home.workspaceId, fileKey(someToken(), file.filename))).toBeNull();
      expect(await store.files.find(999_999_999)).toBeNull();
    });

    it('are not added under a key that nobody reserved, or that was used', async () => {
      const file = aFile(home);
      await expect(store.files.add(file)).rejects.toMatchObject({ code: 'conflict' });
      await add(file);
      await expect(store.files.add(file)).rejects.toMatchObject({ code: 'conflict' });
    });

    it('have no persona when theirs was deleted before', async () => {
      const deleted = await store.newPersona(home);
      await store.deletePersona(deleted);
      const file = await add({ personaId: deleted });
      expect(file.personaId).toBeNull();
    });

    it('are gone once they are discarded', async () => {
      const file = await add();
      await store.unitOfWork.run(() => store.discarded.discardUnneeded([file.id], someTime));
      expect(await store.files.find(file.id)).toBeNull();
      expect(await hold(home.workspaceId, file.key)).toBeNull();
    });

    describe('of a persona', () => {
      const ids = (files: readonly StoredFile[] | undefined) => files?.map((file) => file.id);

      it('are listed newest first, in pages or whole', async () => {
        const owner = await store.newPersona(home);
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

      it('are listed without those whose time is over', async () => {
        const owner = await store.newPersona(home);
        const file = await add({ personaId: owner, expiresAt: hoursAfter(someTime, 12) });
        const at = async (hours: number) =>
          store.files.list(home.workspaceId, owner, { limit: 10, after: null }, hoursAfter(someTime, hours));
        expect(ids((await at(11.99))?.items)).toEqual([file.id]);
        expect(ids((await at(12))?.items)).toEqual([]);
      });

      it('are no list at all when the persona is not in the workspace, or was deleted', async () => {
        const page = { limit: 10, after: null };
        const stranger = await store.newWorkspace();
        const deleted = await store.newPersona(home);
        await store.deletePersona(deleted);
        expect(await store.files.list(stranger.workspaceId, personaId, page, someTime)).toBeNull();
        expect(await store.files.list(home.workspaceId, 999_999_999, page, someTime)).toBeNull();
        expect(await store.files.list(home.workspaceId, deleted, page, someTime)).toBeNull();
      });
    });
  });
}
