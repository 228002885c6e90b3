import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  failed,
  newTraining,
  processed,
  SLOTS,
  withPicture,
  type NewTraining,
  type Slot,
  type Training,
} from '../index.ts';
import { trainingContents } from './arbitraries.ts';
import {
  addCreated,
  addPersona,
  idsOfPages,
  someTime,
  training,
  wholeList,
  type PersonaStores,
} from './persona-stores.ts';

/** What every adapter of `TrainingStore` and of the views of trainings must do. */
export function trainingsContract(name: string, make: () => PersonaStores): void {
  describe(`trainings: ${name}`, () => {
    /** A persona with a file; `add` adds a training to it and `lock` locks one. */
    async function setUp() {
      const stores = make();
      const { personas, trainings, unitOfWork } = stores;
      const persona = await addPersona(stores);
      const { workspaceId, id: personaId } = persona;
      const { id: fileId, ...file } = await stores.newFile(workspaceId, personaId);
      const add = (added: NewTraining) =>
        unitOfWork.run(async () => {
          await personas.lockSlots(workspaceId, personaId);
          return trainings.add(added);
        });
      const lock = (trainingId: number) => trainings.lock(workspaceId, personaId, trainingId);
      const read = (trainingId: number) => stores.views.training(workspaceId, personaId, trainingId);
      return { ...stores, stores, persona, workspaceId, personaId, fileId, file, add, lock, read };
    }

    it('come back as they were added, in each state', async () => {
      const { trainings, views, unitOfWork, workspaceId, personaId, fileId, file, add, lock, read } =
        await setUp();
      const states = fc.constantFrom('created', 'processed', 'failed');
      await fc.assert(
        fc.asyncProperty(trainingContents, states, async (contents, state) => {
          const { slot, sourceUrl: url, extras, info, createdAt } = contents;
          const picture = { url, fileId: state === 'processed' ? fileId : null };
          const given = newTraining({ workspaceId, personaId, slot }, picture, { extras, info }, createdAt);
          const { id } = await add(given);
          let expected = { ...given, id } as Training;
          if (expected.state === 'created') {
            expect(await trainings.findCreated(id, 1)).toEqual(expected);
            if (state === 'failed') {
              const end = (expected = failed(expected, 'url_timeout'));
              expect(await trainings.end(end)).toBe(true);
            }
          }
          const record = { ...expected, file: state === 'processed' ? file : null };
          expect(await read(id)).toEqual(record);
          expect(await unitOfWork.run(() => lock(id))).toEqual(record);
          const newest = await views.trainings(workspaceId, personaId, null, { limit: 1, after: null });
          expect(newest!.items).toEqual([record]);
        }),
        { numRuns: 50 },
      );
    });

    it('come back as they were saved', async () => {
      const { stores, persona, trainings, unitOfWork, fileId, file, lock, read } = await setUp();
      let expected: Training = await addCreated(stores, persona);
      await fc.assert(
        fc.asyncProperty(trainingContents, fc.boolean(), async (contents, stored) => {
          const { slot, sourceUrl: url, extras, info } = contents;
          const picture = { url, fileId: stored ? fileId : null };
          expected = withPicture({ ...expected, slot, extras, info }, picture);
          const replaced = await unitOfWork.run(async () => {
            await lock(expected.id);
            return trainings.save(expected);
          });
          expect(replaced).toBeNull();
          expect(await read(expected.id)).toEqual({ ...expected, file: stored ? file : null });
        }),
        { numRuns: 50 },
      );
    });

    it('replace what is in their slot, and nothing else', async () => {
      const { stores, persona, views, workspaceId, personaId, fileId, add, read } = await setUp();
      const other = await addPersona(stores);
      const elsewhere = await addCreated(stores, other, 3);
      const like = await addCreated(stores, persona);
      const neighbour = await addCreated(stores, persona, 4);

      const first = await add(training(persona, 3, { fileId }));
      expect(first.replaced).toBeNull();
      const second = await add(training(persona, 3));
      expect(second.replaced).toEqual({ id: first.id, fileId });
      const third = await add(training(persona, 3));
      expect(third.replaced).toEqual({ id: second.id, fileId: null });

      const inSlots = await views.trainings(workspaceId, personaId, 'slot', wholeList);
      expect(inSlots!.items.map(({ id }) => id)).toEqual([third.id, neighbour.id]);
      expect(await read(like.id)).not.toBeNull();
      expect(await views.training(other.workspaceId, other.id, elsewhere.id)).not.toBeNull();
    });

    it('replace what is in the slot that they move to, and free the one they leave', async () => {
      const { stores, persona, trainings, views, unitOfWork, workspaceId, personaId, fileId, add, lock } =
        await setUp();
      const moved = await addCreated(stores, persona, 2);
      const occupant = await add(training(persona, 5, { fileId }));
      const move = (slot: Slot | null) =>
        unitOfWork.run(async () => trainings.save({ ...(await lock(moved.id))!, slot }));

      expect(await move(5)).toEqual({ id: occupant.id, fileId });
      const persona5 = await views.persona(workspaceId, personaId);
      expect(persona5).toMatchObject({ filledSlots: [{ slot: 5, trainingId: moved.id }] });
      expect(await move(5)).toBeNull();
      expect(await move(null)).toBeNull();
      expect(await views.persona(workspaceId, personaId)).toMatchObject({ slotsFilled: 0, likesCount: 1 });
    });

    it('end once, and only for the picture that was copied', async () => {
      const { stores, persona, trainings, unitOfWork, fileId, file, lock, read } = await setUp();
      const first = await addCreated(stores, persona);
      const second = withPicture(first, { url: 'https://pictures.test/two.png', fileId: null });
      if (second.state !== 'created') throw new Error('a picture without a file is to be copied');
      await unitOfWork.run(async () => {
        await lock(first.id);
        await trainings.save(second);
      });

      expect(await trainings.findCreated(first.id, 1)).toBeNull();
      expect(await trainings.end(failed(first, 'url_timeout'))).toBe(false);
      expect(await trainings.findCreated(first.id, 2)).toEqual(second);
      expect(await trainings.end(processed(second, fileId))).toBe(true);
      expect(await trainings.findCreated(first.id, 2)).toBeNull();
      expect(await trainings.end(failed(second, 'url_timeout'))).toBe(false);
      expect(await read(first.id)).toEqual({ ...processed(second, fileId), file });
    });

    it('do not end once they are removed', async () => {
      const { stores, persona, trainings, workspaceId, personaId } = await setUp();
      const removed = await addCreated(stores, persona);
      await trainings.remove(workspaceId, personaId, { trainingId: removed.id });
      expect(await trainings.findCreated(removed.id, 1)).toBeNull();
      expect(await trainings.end(failed(removed, 'url_timeout'))).toBe(false);
    });

    it('are removed once, by id and by slot', async () => {
      const { persona, personas, trainings, unitOfWork, workspaceId, personaId, fileId, add } = await setUp();
      for (const slot of [null, ...SLOTS]) {
        const { id } = await add(training(persona, slot, { fileId }));
        const place = slot === null ? { trainingId: id } : { slot };
        const remove = () =>
          unitOfWork.run(async () => {
            await personas.lockSlots(workspaceId, personaId);
            return trainings.remove(workspaceId, personaId, place);
          });
        expect(await remove()).toEqual({ id, fileId });
        expect(await remove()).toBeNull();
      }
    });

    it('are not there for another workspace or another persona', async () => {
      const { stores, persona, trainings, views, unitOfWork, read } = await setUp();
      const sibling = await addPersona(stores, { ...persona, userId: persona.createdBy });
      const foreign = await addPersona(stores);
      const own = await addCreated(stores, persona, 1);
      for (const [workspaceId, personaId] of [
        [persona.workspaceId, sibling.id],
        [foreign.workspaceId, persona.id],
        [foreign.workspaceId, foreign.id],
      ] as const) {
        expect(await views.training(workspaceId, personaId, own.id)).toBeNull();
        await unitOfWork.run(async () => {
          expect(await trainings.lock(workspaceId, personaId, own.id)).toBeNull();
          expect(await trainings.remove(workspaceId, personaId, { trainingId: own.id })).toBeNull();
          expect(await trainings.remove(workspaceId, personaId, { slot: 1 })).toBeNull();
        });
      }
      expect(await read(own.id)).not.toBeNull();
      expect(await views.hasTraining(persona.workspaceId, own.id)).toBe(true);
      expect(await views.hasTraining(foreign.workspaceId, own.id)).toBe(false);
      expect(await views.hasTraining(persona.workspaceId, 999_999_999)).toBe(false);
    });

    it('are listed newest first by kind, each once over all pages', async () => {
      const { stores, persona, views, workspaceId, personaId } = await setUp();
      const expected = { like: [] as number[], slot: [] as number[], all: [] as number[] };
      for (const slot of [null, 6, null, 2, null, null, 1, null] as const) {
        const { id } = await addCreated(stores, persona, slot);
        expected[slot === null ? 'like' : 'slot'].unshift(id);
        expected.all.unshift(id);
      }
      for (const kind of ['like', 'slot', null] as const) {
        const whole = await views.trainings(workspaceId, personaId, kind, wholeList);
        expect(whole!.items.map(({ id }) => id)).toEqual(expected[kind ?? 'all']);
        expect(whole!.next).toBeNull();
        for (const limit of [1, 2, 5, 8]) {
          const list = idsOfPages(limit, (page) => views.trainings(workspaceId, personaId, kind, page));
          expect(await list).toEqual(expected[kind ?? 'all']);
        }
      }
    });

    it('are an empty list for a persona without any, and no list for a persona that is not there', async () => {
      const { stores, personas, views, unitOfWork, workspaceId, personaId } = await setUp();
      const removed = await addPersona(stores);
      await unitOfWork.run(() => personas.remove(removed.workspaceId, removed.id, someTime));
      expect(await views.trainings(workspaceId, personaId, null, wholeList)).toEqual({
        items: [],
        next: null,
      });
      for (const [workspace, persona] of [
        [removed.workspaceId, personaId],
        [removed.workspaceId, removed.id],
        [workspaceId, 999_999_999],
      ] as const) {
        expect(await views.trainings(workspace, persona, null, wholeList)).toBeNull();
      }
    });
  });
}
