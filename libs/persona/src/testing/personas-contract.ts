import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Persona } from '../index.ts';
import { changes, profiles, times } from './arbitraries.ts';
import { addPersona, addUnsettled, someTime, training, type PersonaStore } from './persona-store.ts';

const nothing = { slotsFilled: 0, likesCount: 0, trainingsCount: 0 };
const wholeList = { limit: null, after: null };

/** What every adapter of `Personas` must do. `make` may give the same store each time. */
export function personasContract(name: string, make: () => Promise<PersonaStore>): void {
  describe(`personas: ${name}`, () => {
    it('come back as they were added: found, read and listed', async () => {
      const { personas, newWorkspace } = await make();
      await fc.assert(
        fc.asyncProperty(profiles, times, async (profile, createdAt) => {
          const { workspaceId, userId: createdBy } = await newWorkspace();
          const given = { ...profile, workspaceId, createdBy, createdAt };
          const added = await personas.add(given);
          expect(added).toEqual({ ...given, id: added.id, updatedAt: createdAt });
          expect(await personas.find(workspaceId, added.id)).toEqual(added);
          expect(await personas.read(workspaceId, added.id)).toEqual({
            ...added,
            ...nothing,
            filledSlots: [],
          });
          expect(await personas.list(workspaceId, wholeList)).toEqual({
            items: [{ ...added, ...nothing }],
            next: null,
          });
        }),
        { numRuns: 50 },
      );
    });

    it('change in what is given, and keep the rest', async () => {
      const store = await make();
      const persona = await addPersona(store);
      let expected: Persona = persona;
      await fc.assert(
        fc.asyncProperty(changes, times, async (given, updatedAt) => {
          expected = { ...expected, ...given, updatedAt };
          const updated = await store.personas.update(persona.workspaceId, persona.id, given, updatedAt);
          expect(updated).toEqual({ ...expected, ...nothing, filledSlots: [] });
          expect(await store.personas.find(persona.workspaceId, persona.id)).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    });

    it('lose no change to one field by a change to another at the same time', async () => {
      const store = await make();
      const { workspaceId, id } = await addPersona(store);
      for (let round = 0; round < 10; round++) {
        const text = `round ${round}`;
        await Promise.all(
          (['name', 'title', 'knows', 'profession'] as const).map((field) =>
            store.personas.update(workspaceId, id, { [field]: text }, someTime),
          ),
        );
        expect(await store.personas.find(workspaceId, id)).toMatchObject({
          name: text,
          title: text,
          knows: text,
          profession: text,
        });
      }
    });

    it('are not there for another workspace, nor under an unknown id, nor after they were removed', async () => {
      const store = await make();
      const { workspaceId: elsewhere } = await store.newWorkspace();
      const [kept, removed] = [await addPersona(store), await addPersona(store)];
      await store.unitOfWork.run(() => store.personas.remove(removed.workspaceId, removed.id, someTime));
      for (const [workspaceId, personaId] of [
        [elsewhere, kept.id],
        [kept.workspaceId, 999_999_999],
        [removed.workspaceId, removed.id],
      ] as const) {
        const { personas, unitOfWork } = store;
        expect(await personas.find(workspaceId, personaId)).toBeNull();
        expect(await personas.read(workspaceId, personaId)).toBeNull();
        expect(await personas.update(workspaceId, personaId, { name: 'Mine' }, someTime)).toBeNull();
        await unitOfWork.run(async () => {
          expect(await personas.hold(workspaceId, personaId)).toBe(false);
          expect(await personas.holdSlots(workspaceId, personaId)).toBe(false);
          expect(await personas.remove(workspaceId, personaId, someTime)).toBeNull();
        });
        expect(await personas.list(workspaceId, wholeList)).not.toMatchObject({
          items: expect.arrayContaining([expect.objectContaining({ id: personaId })]),
        });
      }
      expect(await store.personas.find(kept.workspaceId, kept.id)).toEqual(kept);
    });

    it('count their slots and likes, and show the slots that are filled', async () => {
      const store = await make();
      const persona = await addPersona(store);
      const file = await store.newFile(persona.workspaceId, persona.id);
      await addUnsettled(store, persona);
      await addUnsettled(store, persona);
      const main = await addUnsettled(store, persona, 7);
      const { id: masterId } = await store.unitOfWork.run(async () => {
        await store.personas.holdSlots(persona.workspaceId, persona.id);
        return store.trainings.add(training(persona, 1, { fileId: file.id }));
      });
      await store.trainings.settle({ ...main, state: 'failed', error: 'not_an_image' });

      const counts = { slotsFilled: 2, likesCount: 2, trainingsCount: 4 };
      expect(await store.personas.read(persona.workspaceId, persona.id)).toEqual({
        ...persona,
        ...counts,
        filledSlots: [
          {
            slot: 1,
            trainingId: masterId,
            sourceUrl: 'https://pictures.test/one.png',
            fileKey: file.key,
            state: 'processed',
            error: null,
          },
          {
            slot: 7,
            trainingId: main.id,
            sourceUrl: main.sourceUrl,
            fileKey: null,
            state: 'failed',
            error: 'not_an_image',
          },
        ],
      });
      expect(await store.personas.list(persona.workspaceId, wholeList)).toEqual({
        items: [{ ...persona, ...counts }],
        next: null,
      });
    });

    it('are listed newest first, each once over all pages', async () => {
      const store = await make();
      const home = await store.newWorkspace();
      const newestFirst: number[] = [];
      for (let count = 0; count < 7; count++) newestFirst.unshift((await addPersona(store, home)).id);
      for (const limit of [1, 3, 6, 7, 8]) {
        const seen: number[] = [];
        let after: number | null = null;
        do {
          const page: { items: readonly Persona[]; next: number | null } = await store.personas.list(
            home.workspaceId,
            { limit, after },
          );
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items.map(({ id }) => id));
          after = page.next;
        } while (after !== null);
        expect(seen).toEqual(newestFirst);
      }
    });

    it('are removed with their trainings, and give back the files of others that those referred to', async () => {
      const store = await make();
      const home = await store.newWorkspace();
      const [persona, other] = [await addPersona(store, home), await addPersona(store, home)];
      const own = await store.newFile(home.workspaceId, persona.id);
      const others = await store.newFile(home.workspaceId, other.id);
      const orphaned = await store.newFile(home.workspaceId, null);
      const added: number[] = [];
      for (const file of [own, others, others, orphaned]) {
        added.push((await store.trainings.add(training(persona, null, { fileId: file.id }))).id);
      }
      const kept = await store.trainings.add(training(other, null, { fileId: others.id }));

      const files = await store.unitOfWork.run(() =>
        store.personas.remove(home.workspaceId, persona.id, someTime),
      );
      expect([...files!].sort((one, two) => one - two)).toEqual([others.id, orphaned.id]);
      for (const id of added) {
        expect(await store.trainings.read(home.workspaceId, persona.id, id)).toBeNull();
      }
      expect(await store.trainings.read(home.workspaceId, other.id, kept.id)).not.toBeNull();
    });
  });
}
