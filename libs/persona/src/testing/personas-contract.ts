import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rounds } from '../../../../test/support/rounds.ts';
import type { Persona } from '../index.ts';
import { changes, profiles, times } from './arbitraries.ts';
import {
  addCreated,
  addPersona,
  idsOfPages,
  someTime,
  training,
  wholeList,
  type PersonaStores,
} from './persona-stores.ts';

const nothing = { slotsFilled: 0, likesCount: 0 };

/** What every adapter of `PersonaStore` and of the views of personas must do. */
export function personasContract(name: string, make: () => PersonaStores): void {
  describe(`personas: ${name}`, () => {
    it('come back as they were added: found, read and listed', async () => {
      const { personas, views, newWorkspace } = make();
      await fc.assert(
        fc.asyncProperty(profiles, times, async (profile, createdAt) => {
          const { workspaceId, userId: createdBy } = await newWorkspace();
          const given = { ...profile, workspaceId, createdBy, createdAt };
          const added = await personas.add(given);
          expect(added).toEqual({ ...given, id: added.id, updatedAt: createdAt });
          expect(await personas.find(workspaceId, added.id)).toEqual(added);
          const details = { ...added, ...nothing, filledSlots: [] };
          expect(await views.persona(workspaceId, added.id)).toEqual(details);
          const page = { items: [{ ...added, ...nothing }], next: null };
          expect(await views.personas(workspaceId, wholeList)).toEqual(page);
        }),
        { numRuns: 50 },
      );
    });

    it('change in what is given, and keep the rest', async () => {
      const stores = make();
      const { personas } = stores;
      const { workspaceId, id, ...rest } = await addPersona(stores);
      let expected: Persona = { workspaceId, id, ...rest };
      await fc.assert(
        fc.asyncProperty(changes, times, async (given, updatedAt) => {
          expected = { ...expected, ...given, updatedAt };
          expect(await personas.update(workspaceId, id, given, updatedAt)).toBe(true);
          expect(await personas.find(workspaceId, id)).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    });

    it('lose no change to one field by a change to another at the same time', async () => {
      const stores = make();
      const { workspaceId, id } = await addPersona(stores);
      const fields = ['name', 'title', 'knows', 'profession'] as const;
      for (let round = 0; round < rounds(); round++) {
        const text = `round ${round}`;
        await Promise.all(
          fields.map((field) => stores.personas.update(workspaceId, id, { [field]: text }, someTime)),
        );
        expect(await stores.personas.find(workspaceId, id)).toMatchObject({
          name: text,
          title: text,
          knows: text,
          profession: text,
        });
      }
    });

    it('are not there for another workspace, nor under an unknown id, nor after they were removed', async () => {
      const stores = make();
      const { personas, views, unitOfWork } = stores;
      const { workspaceId: elsewhere } = await stores.newWorkspace();
      const [kept, removed] = [await addPersona(stores), await addPersona(stores)];
      await unitOfWork.run(() => personas.remove(removed.workspaceId, removed.id, someTime));
      for (const [workspaceId, personaId] of [
        [elsewhere, kept.id],
        [kept.workspaceId, 999_999_999],
        [removed.workspaceId, removed.id],
      ] as const) {
        expect(await personas.find(workspaceId, personaId)).toBeNull();
        expect(await views.persona(workspaceId, personaId)).toBeNull();
        expect(await personas.update(workspaceId, personaId, { name: 'Mine' }, someTime)).toBe(false);
        await unitOfWork.run(async () => {
          expect(await personas.lock(workspaceId, personaId)).toBe(false);
          expect(await personas.lockSlots(workspaceId, personaId)).toBe(false);
          expect(await personas.remove(workspaceId, personaId, someTime)).toBeNull();
        });
        const { items } = await views.personas(workspaceId, wholeList);
        expect(items.map(({ id }) => id)).not.toContain(personaId);
      }
      expect(await personas.find(kept.workspaceId, kept.id)).toEqual(kept);
    });

    it('count their slots and likes, and show the slots that are filled', async () => {
      const stores = make();
      const { personas, trainings, views, unitOfWork } = stores;
      const persona = await addPersona(stores);
      const { workspaceId, id } = persona;
      const file = await stores.newFile(workspaceId, id);
      await addCreated(stores, persona);
      await addCreated(stores, persona);
      const main = await addCreated(stores, persona, 7);
      const { id: masterId } = await unitOfWork.run(async () => {
        await personas.lockSlots(workspaceId, id);
        return trainings.add(training(persona, 1, { fileId: file.id }));
      });
      await trainings.end({ ...main, state: 'failed', error: 'not_an_image' });

      const counts = { slotsFilled: 2, likesCount: 2 };
      const { sourceUrl } = main;
      const master = { slot: 1, trainingId: masterId, fileKey: file.key, state: 'processed', error: null };
      const failed = { slot: 7, trainingId: main.id, fileKey: null, state: 'failed', error: 'not_an_image' };
      expect(await views.persona(workspaceId, id)).toEqual({
        ...persona,
        ...counts,
        filledSlots: [
          { ...master, sourceUrl },
          { ...failed, sourceUrl },
        ],
      });
      const page = { items: [{ ...persona, ...counts }], next: null };
      expect(await views.personas(workspaceId, wholeList)).toEqual(page);
    });

    it('are listed newest first, each once over all pages', async () => {
      const stores = make();
      const home = await stores.newWorkspace();
      const newestFirst: number[] = [];
      for (let count = 0; count < 7; count++) newestFirst.unshift((await addPersona(stores, home)).id);
      for (const limit of [1, 3, 6, 7, 8]) {
        const ids = await idsOfPages(limit, (page) => stores.views.personas(home.workspaceId, page));
        expect(ids).toEqual(newestFirst);
      }
    });

    it('are removed with their trainings, and return the files of others that those referred to', async () => {
      const stores = make();
      const { personas, trainings, views, unitOfWork, newFile } = stores;
      const home = await stores.newWorkspace();
      const { workspaceId } = home;
      const [persona, other] = [await addPersona(stores, home), await addPersona(stores, home)];
      const own = await newFile(workspaceId, persona.id);
      const others = await newFile(workspaceId, other.id);
      const orphaned = await newFile(workspaceId, null);
      const added: number[] = [];
      for (const file of [own, others, others, orphaned]) {
        added.push((await trainings.add(training(persona, null, { fileId: file.id }))).id);
      }
      const kept = await trainings.add(training(other, null, { fileId: others.id }));

      const files = await unitOfWork.run(() => personas.remove(workspaceId, persona.id, someTime));
      expect([...files!].sort((one, two) => one - two)).toEqual([others.id, orphaned.id]);
      for (const id of added) expect(await views.training(workspaceId, persona.id, id)).toBeNull();
      expect(await views.training(workspaceId, other.id, kept.id)).not.toBeNull();
    });
  });
}
