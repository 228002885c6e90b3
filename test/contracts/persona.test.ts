/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { NO_CUSTOM_DATA } from '#kernel';
import { texts } from '#testing/identity';
import fc from 'fast-check';
import { deletionBy } from '#files';
import { failed, newTraining, withPicture, type Training } from '#persona';
import { profiles, times, trainingContents } from '#testing/persona';
import { suiteDatabase } from '../support/suite-database.ts';
import { idsOfPages, personaStoresOn, someTime, training, wholeList } from '../support/persona-stores.ts';
import { rounds } from '../support/rounds.ts';

const db = await suiteDatabase();
const stores = personaStoresOn(db.database);

const nothing = { slotsFilled: 0, likesCount: 0 };

/** Names such as `__proto__` among them. */
const customData = fc.record({ customer: fc.option(texts), metadata: fc.option(fc.dictionary(texts, texts)) });

describe('stored personas', () => {
  it('come back as they were added: found, read and listed', async () => {
    const { personas, views, newWorkspace } = stores;
    await fc.assert(
      fc.asyncProperty(profiles, customData, times, async (profile, data, createdAt) => {
        const { workspaceId, userId: createdBy } = await newWorkspace();
        const given = { ...profile, ...data, workspaceId, createdBy, createdAt };
        const added = await personas.add(given);
        expect(added).toEqual({ ...given, id: added.id, updatedAt: createdAt });
        expect(await personas.find(workspaceId, added.id)).toEqual(added);
        const details = { ...added, ...nothing, trainings: [], activeStyle: null };
        expect(await views.persona(workspaceId, added.id)).toEqual(details);
        const page = { items: [{ ...added, ...nothing }], next: null };
        expect(await views.personas(workspaceId, wholeList)).toEqual(page);
        expect(await views.trainings(workspaceId, added.id, null, wholeList)).toEqual({ items: [], next: null });
      }),
      { numRuns: 50 },
    );
  });

  it('lose no change to one field by a change to another at the same time', async () => {
    const { workspaceId, id } = await stores.newPersona();
    const fields = ['name', 'title', 'knows', 'profession'] as const;
    for (let round = 0; round < rounds(); round++) {
      const text = `round ${round}`;
      await Promise.all(fields.map((field) => stores.personas.update(workspaceId, id, { [field]: text }, someTime)));
      const expected = { name: text, title: text, knows: text, profession: text };
      expect(await stores.personas.find(workspaceId, id)).toMatchObject(expected);
    }
  });

  it('are added once for a member without any in the workspace, also by concurrent calls', async () => {
    const { personas, unitOfWork, newWorkspace } = stores;
    const add = (workspaceId: number, createdBy: number) => {
      const profile = { name: 'Default', title: null, knows: null, profession: null, ...NO_CUSTOM_DATA };
      return unitOfWork.run(() => personas.addFirst({ ...profile, workspaceId, createdBy, createdAt: someTime }));
    };
    const personasIn = async (workspaceId: number) => (await stores.views.personas(workspaceId, wholeList)).items;
    for (let round = 0; round < rounds(); round++) {
      const [home, elsewhere] = [await newWorkspace(), await newWorkspace()];
      await Promise.all(Array.from({ length: 10 }, () => add(home.workspaceId, home.userId)));
      const added = { name: 'Default', createdBy: home.userId, createdAt: someTime, updatedAt: someTime };
      expect(await personasIn(home.workspaceId)).toMatchObject([added]);

      await add(elsewhere.workspaceId, home.userId);
      expect(await personasIn(elsewhere.workspaceId)).toEqual([]);
      const [first] = await personasIn(home.workspaceId);
      await unitOfWork.run(() => personas.delete(home.workspaceId, first!.id, deletionBy(1, someTime, 0)));
      await add(home.workspaceId, home.userId);
      expect(await personasIn(home.workspaceId)).toHaveLength(1);
    }
  });

  it('move the time of their last change forwards only', async () => {
    const { workspaceId, id } = await stores.newPersona();
    const at = (seconds: number) => new Date(someTime.getTime() + seconds * 1000);
    for (const [touched, updatedAt] of [
      [at(60), at(60)],
      [at(30), at(60)],
    ] as const) {
      expect(await stores.personas.touch(workspaceId, id, touched)).toBe(true);
      expect(await stores.personas.find(workspaceId, id)).toMatchObject({ updatedAt });
    }
  });

  it('are not there for another workspace, nor under an unknown id, nor after they were removed', async () => {
    const { personas, views, unitOfWork } = stores;
    const { workspaceId: elsewhere } = await stores.newWorkspace();
    const [kept, removed] = [await stores.newPersona(), await stores.newPersona()];
    await unitOfWork.run(() => personas.delete(removed.workspaceId, removed.id, deletionBy(1, someTime, 0)));
    for (const [workspaceId, personaId] of [
      [elsewhere, kept.id],
      [kept.workspaceId, 999_999_999],
      [removed.workspaceId, removed.id],
    ] as const) {
      expect(await personas.find(workspaceId, personaId)).toBeNull();
      expect(await views.persona(workspaceId, personaId)).toBeNull();
      expect(await views.trainings(workspaceId, personaId, null, wholeList)).toBeNull();
      expect(await personas.update(workspaceId, personaId, { name: 'Mine' }, someTime)).toBe(false);
      await unitOfWork.run(async () => {
        expect(await personas.lock(workspaceId, personaId)).toBe(false);
        expect(await personas.touch(workspaceId, personaId, someTime)).toBe(false);
        expect(await personas.delete(workspaceId, personaId, deletionBy(1, someTime, 0))).toBeNull();
      });
      const { items } = await views.personas(workspaceId, wholeList);
      expect(items.map(({ id }) => id)).not.toContain(personaId);
    }
    expect(await personas.find(kept.workspaceId, kept.id)).toEqual(kept);
  });

  it('count their slots and likes, and show all of them', async () => {
    const { trainings, views } = stores;
    const persona = await stores.newPersona();
    const { workspaceId, id } = persona;
    const file = await stores.newFile(workspaceId, id);
    for (let likes = 0; likes < 2; likes++) await stores.newCreated(persona);
    const main = await stores.newCreated(persona, 7);
    await stores.add(training(persona, 1, { fileId: file.id }));
    await trainings.end({ ...main, state: 'failed', error: 'not_an_image' });

    const counts = { slotsFilled: 2, likesCount: 2 };
    const { items } = (await views.trainings(workspaceId, id, null, wholeList))!;
    expect(items.map(({ slot }) => slot)).toEqual([1, 7, null, null]);
    expect(await views.persona(workspaceId, id)).toEqual({
      ...persona,
      ...counts,
      trainings: items,
      activeStyle: null,
    });
    const page = { items: [{ ...persona, ...counts }], next: null };
    expect(await views.personas(workspaceId, wholeList)).toEqual(page);
  });

  it('are listed newest first, each once over all pages', async () => {
    const home = await stores.newWorkspace();
    const newestFirst: number[] = [];
    for (let count = 0; count < 7; count++) newestFirst.unshift((await stores.newPersona(home)).id);
    for (const limit of [1, 3, 6, 7, 8]) {
      const ids = await idsOfPages(limit, (page) => stores.views.personas(home.workspaceId, page));
      expect(ids).toEqual(newestFirst);
    }
  });

  it('are deleted with their trainings, and with nothing of other personas', async () => {
    const { personas, trainings, views, unitOfWork, newFile } = stores;
    const home = await stores.newWorkspace();
    const { workspaceId } = home;
    const [persona, other] = [await stores.newPersona(home), await stores.newPersona(home)];
    const file = await newFile(workspaceId, other.id);
    const gone = await trainings.add(training(persona, null, { fileId: file.id }));
    const kept = await trainings.add(training(other, null, { fileId: file.id }));
    await unitOfWork.run(() => personas.delete(workspaceId, persona.id, deletionBy(1, someTime, 0)));
    expect(await views.training(workspaceId, persona.id, gone.id)).toBeNull();
    expect(await views.hasTraining(workspaceId, persona.id, gone.id)).toBe(false);
    expect(await views.training(workspaceId, other.id, kept.id)).not.toBeNull();
  });
});

describe('stored trainings', () => {
  /** A persona with a file; `lock` and `save` are about its trainings. */
  async function setUp() {
    const persona = await stores.newPersona();
    const { workspaceId, id: personaId } = persona;
    const { id: fileId, ...file } = await stores.newFile(workspaceId, personaId);
    const lock = (trainingId: number) => stores.trainings.lock(workspaceId, personaId, trainingId);
    const save = (changed: Training) =>
      stores.unitOfWork.run(async () => {
        await lock(changed.id);
        return stores.trainings.save(changed);
      });
    const read = (trainingId: number) => stores.views.training(workspaceId, personaId, trainingId);
    return { ...stores, persona, workspaceId, personaId, fileId, file, lock, save, read };
  }

  it('come back as they were added, in each state', async () => {
    const { trainings, views, unitOfWork, workspaceId, personaId, fileId, file, add, lock, read } = await setUp();
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
    const { persona, fileId, file, save, read } = await setUp();
    let expected: Training = await stores.newCreated(persona);
    await fc.assert(
      fc.asyncProperty(trainingContents, fc.boolean(), async (contents, stored) => {
        const { slot, sourceUrl: url, extras, info } = contents;
        const picture = { url, fileId: stored ? fileId : null };
        expected = withPicture({ ...expected, slot, extras, info }, picture);
        expect(await save(expected)).toBeNull();
        expect(await read(expected.id)).toEqual({ ...expected, file: stored ? file : null });
      }),
      { numRuns: 50 },
    );
  });

  it('replace the training in their slot only', async () => {
    const { persona, views, workspaceId, personaId, fileId, add, read } = await setUp();
    const other = await stores.newPersona();
    const elsewhere = await stores.newCreated(other, 3);
    const like = await stores.newCreated(persona);
    const neighbour = await stores.newCreated(persona, 4);

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

  it('are not there for another workspace or another persona', async () => {
    const { persona, trainings, views, unitOfWork, read } = await setUp();
    const sibling = await stores.newPersona({ ...persona, userId: persona.createdBy });
    const foreign = await stores.newPersona();
    const own = await stores.newCreated(persona, 1);
    for (const [workspaceId, personaId] of [
      [persona.workspaceId, sibling.id],
      [foreign.workspaceId, persona.id],
      [foreign.workspaceId, foreign.id],
    ] as const) {
      expect(await views.training(workspaceId, personaId, own.id)).toBeNull();
      expect(await views.hasTraining(workspaceId, personaId, own.id)).toBe(false);
      await unitOfWork.run(async () => {
        expect(await trainings.lock(workspaceId, personaId, own.id)).toBeNull();
        expect(await trainings.remove(workspaceId, personaId, { trainingId: own.id })).toBeNull();
        expect(await trainings.remove(workspaceId, personaId, { slot: 1 })).toBeNull();
      });
    }
    expect(await read(own.id)).not.toBeNull();
    expect(await views.hasTraining(persona.workspaceId, persona.id, own.id)).toBe(true);
    expect(await views.hasTraining(persona.workspaceId, persona.id, 999_999_999)).toBe(false);
  });

  it('are listed newest first by kind, each once over all pages', async () => {
    const { persona, views, workspaceId, personaId } = await setUp();
    const expected = { like: [] as number[], slot: [] as number[], all: [] as number[] };
    for (const slot of [null, 6, null, 2, null, null, 1, null] as const) {
      const { id } = await stores.newCreated(persona, slot);
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
});
