import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finalize, freeze, frozenKey, type AllocatedUpload, type FrozenUpload, type NewUpload } from '../index.ts';
import { filenames, someToken, times } from './arbitraries.ts';
import { addFinalized, addFrozen, anUpload, hoursAfter, someRules, someTime } from './builders.ts';
import type { FileStore } from './file-store.ts';

type Differences = Partial<NewUpload>;

/** What every adapter of `Uploads` must do. `make` may give the same store each time. */
export function uploadsContract(name: string, make: () => Promise<FileStore>): void {
  describe(`uploads: ${name}`, () => {
    let store: FileStore;
    let home: { workspaceId: number; userId: number };
    let personaId: number;
    beforeAll(async () => {
      store = await make();
      home = await store.newWorkspace();
      personaId = await store.newPersona(home);
    });

    const find = (upload: { token: string }) => store.uploads.find(home.workspaceId, upload.token);
    const allocated = async (differences: Differences = {}): Promise<AllocatedUpload> =>
      (await store.uploads.allocate(anUpload({ ...home, personaId, ...differences })))!;
    const frozenFrom = (upload: AllocatedUpload, size = 1234): FrozenUpload =>
      freeze(upload, { key: frozenKey(upload.token, someToken()), size }, someTime);
    const frozen = (differences: Differences = {}) =>
      addFrozen(store, anUpload({ ...home, personaId, ...differences }), 1234);
    const finalized = (differences: Differences = {}) =>
      addFinalized(store, anUpload({ ...home, personaId, ...differences }));

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
          const upload = anUpload({ ...home, ...facts, personaId });
          const first = (await store.uploads.allocate(upload))!;
          expect(first).toEqual({ ...upload, id: first.id, state: 'allocated' });
          expect(await find(first)).toEqual(first);

          const second = frozenFrom(first, size);
          expect(await store.uploads.freeze(second)).toBe(true);
          expect(await find(first)).toEqual(second);

          const third = await store.uploads.finalize(finalize(second, someRules(), someTime));
          expect(third).toMatchObject({ id: first.id, state: 'finalized', file: { size, personaId } });
          expect(await find(first)).toEqual(third);
          expect(await store.files.find(third!.file.id)).toEqual(third!.file);
        }),
        { numRuns: 50 },
      );
    });

    it('are not there for another workspace, or under another token', async () => {
      const upload = await allocated();
      const stranger = await store.newWorkspace();
      expect(await store.uploads.find(stranger.workspaceId, upload.token)).toBeNull();
      expect(await find({ token: someToken() })).toBeNull();
    });

    it('without a persona, go to the first that the user made in the workspace', async () => {
      const workspace = await store.newWorkspace();
      const other = await store.newWorkspace();
      await store.newPersona({ workspaceId: workspace.workspaceId, userId: other.userId });
      await store.newPersona({ workspaceId: other.workspaceId, userId: workspace.userId });
      const first = await store.newPersona(workspace);
      const second = await store.newPersona(workspace);
      const target = async () => (await store.uploads.allocate(anUpload(workspace)))?.personaId;
      expect(await target()).toBe(first);
      await store.deletePersona(first);
      expect(await target()).toBe(second);
      await store.deletePersona(second);
      expect(await target()).toBeUndefined();
    });

    it('with a persona, go to it, whoever made it', async () => {
      const guest = (await store.newWorkspace()).userId;
      const upload = anUpload({ workspaceId: home.workspaceId, userId: guest, personaId });
      expect(await store.uploads.allocate(upload)).toMatchObject({ personaId, userId: guest });
    });

    it('are not made when their persona is in another workspace, deleted or unknown', async () => {
      const stranger = await store.newWorkspace();
      const deleted = await store.newPersona(home);
      await store.deletePersona(deleted);
      const targets = [await store.newPersona(stranger), deleted, 999_999_999];
      for (const target of targets) {
        const upload = anUpload({ ...home, personaId: target });
        expect(await store.uploads.allocate(upload)).toBeNull();
        expect(await find(upload)).toBeNull();
      }
    });

    it('are frozen once: the first bytes that were chosen stay chosen', async () => {
      const upload = await allocated();
      const [one, other] = [frozenFrom(upload), frozenFrom(upload)];
      expect(await store.uploads.freeze(one)).toBe(true);
      expect(await store.uploads.freeze(other)).toBe(false);
      expect(await find(upload)).toEqual(one);
    });

    it('are frozen under one key and finalized once, however many try at once', async () => {
      for (let round = 0; round < 5; round++) {
        const upload = await allocated();
        const rivals = Array.from({ length: 8 }, () => frozenFrom(upload));
        const chosen = await Promise.all(rivals.map((rival) => store.uploads.freeze(rival)));
        expect(chosen.filter(Boolean)).toHaveLength(1);
        const winner = rivals[chosen.indexOf(true)]!;
        const saved = await Promise.all(
          rivals.map(() => store.uploads.finalize(finalize(winner, someRules(), someTime))),
        );
        expect(saved.filter(Boolean)).toHaveLength(1);
        expect(await find(upload)).toEqual(saved.find(Boolean));
      }
    });

    it('are thawed only from the key that they are frozen under', async () => {
      const upload = await frozen();
      await store.uploads.thaw({ ...upload, frozenKey: frozenKey(upload.token, 'another') });
      expect(await find(upload)).toEqual(upload);
      await store.uploads.thaw(upload);
      expect(await find(upload)).toMatchObject({ id: upload.id, state: 'allocated' });
      expect(await store.uploads.finalize(finalize(upload, someRules(), someTime))).toBeNull();
    });

    it('are not finalized from another key than the one that they are frozen under', async () => {
      const upload = await frozen();
      const other = { ...upload, frozenKey: frozenKey(upload.token, 'another') };
      expect(await store.uploads.finalize(finalize(other, someRules(), someTime))).toBeNull();
      expect(await find(upload)).toEqual(upload);
    });

    it('of a deleted persona are not there and can not be finalized', async () => {
      const owner = await store.newPersona(home);
      const upload = await frozen({ personaId: owner });
      await store.deletePersona(owner);
      expect(await find(upload)).toBeNull();
      expect(await store.uploads.finalize(finalize(upload, someRules(), someTime))).toBeNull();
    });

    describe('to be cleaned up after', () => {
      const take = (now: Date, limit = 1000) => store.unitOfWork.run(() => store.uploads.take({ dueBy: now }, limit));
      const settle = (ids: readonly number[]) => store.unitOfWork.run(() => store.uploads.settle(ids));
      // A time of their own, before everything else that is due.
      const then = new Date('1980-01-01T00:00:00Z');

      it('are taken when their time has come, those that wait longest first', async () => {
        const late = await allocated({ cleanUpAt: hoursAfter(then, 2) });
        const early = await allocated({ cleanUpAt: hoursAfter(then, 1) });
        const ids = async (hours: number, limit?: number) =>
          (await take(hoursAfter(then, hours), limit)).map((upload) => upload.id);
        expect(await ids(0.99)).toEqual([]);
        expect(await ids(1)).toEqual([early.id]);
        expect(await ids(2)).toEqual([early.id, late.id]);
        expect(await ids(2, 1)).toEqual([early.id]);
        expect((await take(hoursAfter(then, 1)))[0]).toEqual(early);
        await settle([early.id, late.id]);
      });

      it('are dropped when they are settled, but for finalized ones, which have no time any more', async () => {
        const one = await allocated({ cleanUpAt: then });
        const file = { createdAt: hoursAfter(then, -2), expiresAt: hoursAfter(then, -1) };
        const saved = await finalized({ ...file, cleanUpAt: then });
        expect(saved.cleanUpAt).toEqual(then);
        expect((await take(then)).map((upload) => upload.id)).toEqual([one.id, saved.id]);
        await settle([one.id, saved.id]);
        expect(await take(then)).toEqual([]);
        expect(await find(one)).toBeNull();
        expect(await find(saved)).toEqual({ ...saved, cleanUpAt: null });
      });

      it('of a persona are taken whatever their time, also when the persona was deleted', async () => {
        const owner = await store.newPersona(home);
        const uploads = [
          await allocated({ personaId: owner }),
          await frozen({ personaId: owner }),
          await finalized({ personaId: owner }),
        ];
        await store.deletePersona(owner);
        const takeOf = (limit: number) => store.unitOfWork.run(() => store.uploads.take({ personaId: owner }, limit));
        expect(await takeOf(10)).toEqual(uploads);
        expect(await takeOf(2)).toHaveLength(2);
        await store.unitOfWork.run(() => store.uploads.drop(uploads.map((upload) => upload.id)));
        expect(await takeOf(10)).toEqual([]);
      });
    });
  });
}
