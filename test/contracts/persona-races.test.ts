import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredFile } from '#files';
import { Personas, TrainingProcessing, Trainings, type Persona, type Slot } from '#persona';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { addCreated, addPersona, personaStoresOn, wholeList, type PersonaStores } from '../support/persona-stores.ts';
import { rounds } from '../support/rounds.ts';

const STORED = 'https://storage.test/mine.png';
const aPicture = 'https://pictures.test/one.png';

describe('what happens to a persona at once, on PostgreSQL', () => {
  let db: TestDatabase;
  let stores: PersonaStores;
  beforeAll(async () => {
    db = await createDatabase({ poolSize: 20 });
    stores = personaStoresOn(db.database);
  });
  afterAll(() => db.drop());

  /** The use cases, and the jobs they announce. Each use of the stored URL refers to a new file. */
  function setUp() {
    const jobs = new RecordedJobs();
    const clock = new ManualClock();
    const { personas, trainings, unitOfWork } = stores;
    const files = {
      resolve: async ({ workspaceId, url }: { workspaceId: number; url: string }) =>
        url === STORED ? ((await stores.newFile(workspaceId, null)) as StoredFile) : null,
    };
    return {
      jobs,
      trainings: new Trainings(personas, trainings, files, jobs, unitOfWork, clock),
      personas: new Personas(personas, jobs, unitOfWork, clock),
      /** Files whose deletion is scheduled. */
      deleted: () => jobs.announced.flatMap((job) => (job.name === 'files.reclaim' ? job.payload.fileIds : [])),
    };
  }

  const toSave = (persona: Persona, slot: Slot | null, picture = aPicture) => ({
    workspaceId: persona.workspaceId,
    personaId: persona.id,
    slot,
    picture,
    pictureField: 'photo' as const,
    extras: null,
    info: null,
  });

  const inSlots = async (persona: Persona) =>
    (await stores.views.trainings(persona.workspaceId, persona.id, 'slot', wholeList))!.items;

  it('leaves one training in a slot that 50 fill, and schedules the deletion of the files of the 49 others', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { trainings, deleted } = setUp();
      const persona = await addPersona(stores);
      const saved = await Promise.all(Array.from({ length: 50 }, () => trainings.save(toSave(persona, 4, STORED))));
      const left = await inSlots(persona);
      expect(left).toHaveLength(1);
      expect(saved.map(({ training }) => training.id)).toContain(left[0]!.id);
      expect(saved.filter(({ replaced }) => !replaced)).toHaveLength(1);
      expect(new Set(deleted()).size).toBe(49);
      expect(deleted()).not.toContain(left[0]!.fileId);
    }
  });

  it('never shows a slot empty while it is replaced', async () => {
    const { trainings } = setUp();
    const persona = await addPersona(stores);
    await trainings.save(toSave(persona, 1));
    let replacing = true;
    const watch = (async () => {
      const seen = new Set<number>();
      while (replacing) {
        const { slotsFilled } = (await stores.views.persona(persona.workspaceId, persona.id))!;
        seen.add(slotsFilled);
      }
      return seen;
    })();
    for (let count = 0; count < 100; count++) await trainings.save(toSave(persona, 1));
    replacing = false;
    expect(await watch).toEqual(new Set([1]));
  });

  it('finds the slot filled when it is emptied while it is replaced', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { trainings } = setUp();
      const persona = await addPersona(stores);
      await trainings.save(toSave(persona, 2));
      const { workspaceId, id } = persona;
      await Promise.all([
        trainings.save(toSave(persona, 2)),
        trainings.remove(workspaceId, id, { slot: 2 }),
        trainings.save(toSave(persona, 2)),
      ]);
      expect((await inSlots(persona)).length).toBeLessThanOrEqual(1);
    }
  });

  it('keeps one training a slot when two change places and others are saved into both', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { trainings } = setUp();
      const persona = await addPersona(stores);
      const one = await trainings.save(toSave(persona, 1));
      const two = await trainings.save(toSave(persona, 2));
      const move = (trainingId: number, slot: Slot) =>
        trainings.update({ workspaceId: persona.workspaceId, personaId: persona.id, trainingId, slot });
      const answers = await Promise.allSettled([
        move(one.training.id, 2),
        move(two.training.id, 1),
        trainings.save(toSave(persona, 1)),
        trainings.save(toSave(persona, 2)),
      ]);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'not_found' });
      }
      const slots = (await inSlots(persona)).map(({ slot }) => slot);
      expect(new Set(slots).size).toBe(slots.length);
    }
  });

  it('leaves no training on a persona that is deleted while it is liked and filled', async () => {
    for (let round = 0; round < rounds(); round++) {
      const { trainings, personas, jobs } = setUp();
      const persona = await addPersona(stores);
      const { workspaceId, createdBy: userId } = persona;
      const deletion = { workspaceId, userId, role: 'member' as const };
      const answers = await Promise.allSettled([
        ...Array.from({ length: 6 }, () => trainings.save(toSave(persona, null))),
        personas.delete(deletion, persona.id),
        personas.delete(deletion, persona.id),
        ...Array.from({ length: 6 }, () => trainings.save(toSave(persona, 6))),
      ]);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'not_found' });
      }
      expect(jobs.announced.filter(({ name }) => name === 'persona.purge')).toHaveLength(1);
      const left = await db.pool.query('select id from trainings where persona_id = $1', [persona.id]);
      expect(left.rows).toEqual([]);
    }
  });

  it('ends a picture once, whatever is processed, failed, replaced and removed at once', async () => {
    const { jobs, trainings, deleted } = setUp();
    const imported: number[] = [];
    const sources = {
      importPicture: async ({ workspaceId, personaId }: { workspaceId: number; personaId: number | null }) => {
        const file = await stores.newFile(workspaceId, personaId);
        imported.push(file.id);
        return file as StoredFile;
      },
    };
    const processing = new TrainingProcessing(stores.trainings, sources, jobs, stores.unitOfWork);
    const run = { attempt: 1, signal: new AbortController().signal };

    for (let round = 0; round < rounds(); round++) {
      const persona = await addPersona(stores);
      const { id: trainingId } = await addCreated(stores, persona, 7);
      const place = { workspaceId: persona.workspaceId, personaId: persona.id, trainingId };
      const job = { trainingId, pictureVersion: 1 };
      const rivals = [
        () => processing.giveUp(job, new Error('out of memory')),
        () => trainings.update({ ...place, image: aPicture }),
        () => trainings.remove(place.workspaceId, place.personaId, { trainingId }),
      ];
      await Promise.all([processing.run(job, run), processing.run(job, run), rivals[round % rivals.length]!()]);

      const left = await stores.views.training(place.workspaceId, place.personaId, trainingId);
      for (const fileId of imported.splice(0)) {
        expect(deleted().includes(fileId)).toBe(left?.fileId !== fileId);
      }
      if (left?.pictureVersion === 2) expect(left.state).toBe('created');
    }
  });
});
