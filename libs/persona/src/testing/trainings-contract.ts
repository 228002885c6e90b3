import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  failed,
  newTraining,
  processed,
  SLOTS,
  withPicture,
  type NewTraining,
  type Persona,
  type Slot,
  type Training,
} from '../index.ts';
import { trainingContents } from './arbitraries.ts';
import { addPersona, addUnsettled, someTime, training, type PersonaStore } from './persona-store.ts';

const wholeList = { limit: null, after: null };

/** What every adapter of `Trainings` must do. `make` may give the same store each time. */
export function trainingsContract(name: string, make: () => Promise<PersonaStore>): void {
  describe(`trainings: ${name}`, () => {
    const add = (store: PersonaStore, persona: Persona, added: NewTraining) =>
      store.unitOfWork.run(async () => {
        await store.personas.holdSlots(persona.workspaceId, persona.id);
        return store.trainings.add(added);
      });

    it('come back as they were added, in each state', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const { workspaceId, id: personaId } = persona;
      const file = await store.newFile(workspaceId, personaId);
      const states = fc.constantFrom('created', 'processed', 'failed');
      await fc.assert(
        fc.asyncProperty(trainingContents, states, async (contents, state) => {
          const { slot, sourceUrl: url, extras, info, createdAt } = contents;
          const picture = { url, fileId: state === 'processed' ? file.id : null };
          const given = newTraining({ workspaceId, personaId, slot }, picture, { extras, info }, createdAt);
          const { id } = await add(store, persona, given);
          let expected = { ...given, id } as Training;
          if (expected.state === 'created') {
            expect(await store.trainings.findUnsettled(id, 1)).toEqual(expected);
            if (state === 'failed') {
              const end = (expected = failed(expected, 'url_timeout'));
              expect(await store.trainings.settle(end)).toBe(true);
            }
          }
          const record = { ...expected, fileKey: expected.fileId === null ? null : file.key };
          expect(await store.trainings.read(workspaceId, personaId, id)).toEqual(record);
          expect(await store.unitOfWork.run(() => store.trainings.hold(workspaceId, personaId, id))).toEqual(
            expected,
          );
          const newest = await store.trainings.list(workspaceId, personaId, null, { limit: 1, after: null });
          expect(newest!.items).toEqual([record]);
        }),
        { numRuns: 50 },
      );
    });

    it('come back as they were saved', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const { workspaceId, id: personaId } = persona;
      const file = await store.newFile(workspaceId, personaId);
      let expected: Training = await addUnsettled(store, persona);
      await fc.assert(
        fc.asyncProperty(trainingContents, fc.boolean(), async (contents, adopted) => {
          const { slot, sourceUrl: url, extras, info } = contents;
          const picture = { url, fileId: adopted ? file.id : null };
          expected = withPicture({ ...expected, slot, extras, info }, picture);
          const replaced = await store.unitOfWork.run(async () => {
            await store.trainings.hold(workspaceId, personaId, expected.id);
            return store.trainings.save(expected);
          });
          expect(replaced).toBeNull();
          expect(await store.trainings.read(workspaceId, personaId, expected.id)).toEqual({
            ...expected,
            fileKey: adopted ? file.key : null,
          });
        }),
        { numRuns: 50 },
      );
    });

    it('replace what is in their slot, and nothing else', async () => {
      const store = await make();
      const [persona, other] = [await addPersona(store), await addPersona(store)];
      const { workspaceId, id: personaId } = persona;
      const file = await store.newFile(workspaceId, personaId);
      const elsewhere = await addUnsettled(store, other, 3);
      const like = await addUnsettled(store, persona);
      const neighbour = await addUnsettled(store, persona, 4);

      const first = await add(store, persona, training(persona, 3, { fileId: file.id }));
      expect(first.replaced).toBeNull();
      const second = await add(store, persona, training(persona, 3));
      expect(second.replaced).toEqual({ id: first.id, fileId: file.id });
      const third = await add(store, persona, training(persona, 3));
      expect(third.replaced).toEqual({ id: second.id, fileId: null });

      const inSlots = await store.trainings.list(workspaceId, personaId, 'slot', wholeList);
      expect(inSlots!.items.map(({ id }) => id)).toEqual([third.id, neighbour.id]);
      expect(await store.trainings.read(workspaceId, personaId, like.id)).not.toBeNull();
      expect(await store.trainings.read(other.workspaceId, other.id, elsewhere.id)).not.toBeNull();
    });

    it('replace what is in the slot that they move to, and free the one they leave', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const { workspaceId, id: personaId } = persona;
      const file = await store.newFile(workspaceId, personaId);
      const moved = await addUnsettled(store, persona, 2);
      const occupant = await add(store, persona, training(persona, 5, { fileId: file.id }));

      const move = (slot: Slot | null) =>
        store.unitOfWork.run(async () => {
          const held = await store.trainings.hold(workspaceId, personaId, moved.id);
          return store.trainings.save({ ...held!, slot });
        });
      expect(await move(5)).toEqual({ id: occupant.id, fileId: file.id });
      expect(await store.personas.read(workspaceId, personaId)).toMatchObject({
        filledSlots: [{ slot: 5, trainingId: moved.id }],
      });
      expect(await move(5)).toBeNull();
      expect(await move(null)).toBeNull();
      expect(await store.personas.read(workspaceId, personaId)).toMatchObject({
        slotsFilled: 0,
        likesCount: 1,
      });
    });

    it('end once, and only for the picture that was copied', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const { workspaceId, id: personaId } = persona;
      const file = await store.newFile(workspaceId, personaId);
      const first = await addUnsettled(store, persona);
      const second = withPicture(first, { url: 'https://pictures.test/two.png', fileId: null });
      await store.unitOfWork.run(async () => {
        await store.trainings.hold(workspaceId, personaId, first.id);
        await store.trainings.save(second);
      });
      if (second.state !== 'created') throw new Error('a picture without a file is still to be copied');

      expect(await store.trainings.findUnsettled(first.id, 1)).toBeNull();
      expect(await store.trainings.settle(failed(first, 'url_timeout'))).toBe(false);
      expect(await store.trainings.findUnsettled(first.id, 2)).toEqual(second);
      expect(await store.trainings.settle(processed(second, file.id))).toBe(true);
      expect(await store.trainings.findUnsettled(first.id, 2)).toBeNull();
      expect(await store.trainings.settle(failed(second, 'url_timeout'))).toBe(false);
      expect(await store.trainings.read(workspaceId, personaId, first.id)).toEqual({
        ...processed(second, file.id),
        fileKey: file.key,
      });
    });

    it('have no end once they are removed', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const removed = await addUnsettled(store, persona);
      await store.trainings.remove(persona.workspaceId, persona.id, { trainingId: removed.id });
      expect(await store.trainings.findUnsettled(removed.id, 1)).toBeNull();
      expect(await store.trainings.settle(failed(removed, 'url_timeout'))).toBe(false);
    });

    it('are removed once, by id and by slot', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const { workspaceId, id: personaId } = persona;
      const file = await store.newFile(workspaceId, personaId);
      for (const slot of [null, ...SLOTS]) {
        const { id } = await add(store, persona, training(persona, slot, { fileId: file.id }));
        const place = slot === null ? { trainingId: id } : { slot };
        const remove = () =>
          store.unitOfWork.run(async () => {
            await store.personas.holdSlots(workspaceId, personaId);
            return store.trainings.remove(workspaceId, personaId, place);
          });
        expect(await remove()).toEqual({ id, fileId: file.id });
        expect(await remove()).toBeNull();
      }
    });

    it('are not there for another workspace or another persona', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const sibling = await addPersona(store, { ...persona, userId: persona.createdBy });
      const stranger = await addPersona(store);
      const own = await addUnsettled(store, persona, 1);
      for (const [workspaceId, personaId] of [
        [persona.workspaceId, sibling.id],
        [stranger.workspaceId, persona.id],
        [stranger.workspaceId, stranger.id],
      ] as const) {
        expect(await store.trainings.read(workspaceId, personaId, own.id)).toBeNull();
        await store.unitOfWork.run(async () => {
          expect(await store.trainings.hold(workspaceId, personaId, own.id)).toBeNull();
          expect(await store.trainings.remove(workspaceId, personaId, { trainingId: own.id })).toBeNull();
          expect(await store.trainings.remove(workspaceId, personaId, { slot: 1 })).toBeNull();
        });
      }
      expect(await store.trainings.read(persona.workspaceId, persona.id, own.id)).not.toBeNull();
      expect(await store.trainings.exists(persona.workspaceId, own.id)).toBe(true);
      expect(await store.trainings.exists(stranger.workspaceId, own.id)).toBe(false);
      expect(await store.trainings.exists(persona.workspaceId, 999_999_999)).toBe(false);
    });

    it('are listed newest first by kind, each once over all pages', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const { workspaceId, id: personaId } = persona;
      const expected = { like: [] as number[], slot: [] as number[], all: [] as number[] };
      for (const slot of [null, 6, null, 2, null, null, 1, null] as const) {
        const { id } = await addUnsettled(store, persona, slot);
        expected[slot === null ? 'like' : 'slot'].unshift(id);
        expected.all.unshift(id);
      }
      for (const kind of ['like', 'slot', null] as const) {
        const whole = await store.trainings.list(workspaceId, personaId, kind, wholeList);
        expect(whole!.items.map(({ id }) => id)).toEqual(expected[kind ?? 'all']);
        expect(whole!.next).toBeNull();
        for (const limit of [1, 2, 5, 8]) {
          const seen: number[] = [];
          let after: number | null = null;
          do {
            const page: { items: readonly Training[]; next: number | null } = (await store.trainings.list(
              workspaceId,
              personaId,
              kind,
              { limit, after },
            ))!;
            expect(page.items.length).toBeLessThanOrEqual(limit);
            seen.push(...page.items.map(({ id }) => id));
            after = page.next;
          } while (after !== null);
          expect(seen).toEqual(expected[kind ?? 'all']);
        }
      }
    });

    it('are an empty list for a persona without any, and no list for a persona that is not there', async () => {
      const store = await make();
      const [persona, removed] = [await addPersona(store), await addPersona(store)];
      await store.unitOfWork.run(() => store.personas.remove(removed.workspaceId, removed.id, someTime));
      const list = (workspaceId: number, personaId: number) =>
        store.trainings.list(workspaceId, personaId, null, wholeList);
      expect(await list(persona.workspaceId, persona.id)).toEqual({ items: [], next: null });
      expect(await list(removed.workspaceId, persona.id)).toBeNull();
      expect(await list(removed.workspaceId, removed.id)).toBeNull();
      expect(await list(persona.workspaceId, 999_999_999)).toBeNull();
    });
  });
}
