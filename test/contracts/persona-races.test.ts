import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DeletePersona,
  FailTraining,
  ProcessTraining,
  RemoveTraining,
  SaveTraining,
  UpdateTraining,
  type Persona,
  type Slot,
} from '#persona';
import type { StoredFile } from '#files';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { addPersona, addUnsettled, type PersonaStore } from '#testing/persona';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { personaStoreOn } from '../support/persona-store.ts';

const ROUNDS = 10;
const wholeList = { limit: null, after: null };
const urls = { publicUrl: (key: string) => `https://storage.test/${key}` };
const aPicture = 'https://pictures.test/one.png';

describe('what happens to a persona at once, on PostgreSQL', () => {
  let db: TestDatabase;
  let store: PersonaStore;
  beforeAll(async () => {
    db = await createDatabase({ poolSize: 20 });
    store = personaStoreOn(db.database);
  });
  afterAll(() => db.drop());

  /** The use cases, and the jobs they announce. Every URL of ours is adopted as a file of its own. */
  function room() {
    const jobs = new RecordedJobs();
    const clock = new ManualClock();
    const { personas, trainings, unitOfWork } = store;
    const adoptFile = {
      run: async ({ workspaceId, url }: { workspaceId: number; url: string }) =>
        url.startsWith(urls.publicUrl(''))
          ? ({ ...(await store.newFile(workspaceId, null)), contentType: 'image/png' } as StoredFile)
          : null,
    };
    const files = { find: async () => null };
    return {
      jobs,
      save: new SaveTraining(personas, trainings, adoptFile, urls, jobs, unitOfWork, clock),
      update: new UpdateTraining(trainings, files, adoptFile, urls, jobs, unitOfWork),
      remove: new RemoveTraining(personas, trainings, jobs, unitOfWork),
      deletePersona: new DeletePersona(personas, jobs, unitOfWork, clock),
      offered: () =>
        jobs.announced.flatMap((job) => (job.name === 'files.reclaim' ? job.payload.fileIds : [])),
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
    (await store.trainings.list(persona.workspaceId, persona.id, 'slot', wholeList))!.items;

  it('leaves one training in a slot that 50 fill, and offers the files of the 49 others', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { save, offered } = room();
      const persona = await addPersona(store);
      const saved = await Promise.all(
        Array.from({ length: 50 }, () => save.run(toSave(persona, 4, urls.publicUrl('mine.png')))),
      );
      const left = await inSlots(persona);
      expect(left).toHaveLength(1);
      expect(saved.map(({ trainingId }) => trainingId)).toContain(left[0]!.id);
      expect(saved.filter(({ replaced }) => !replaced)).toHaveLength(1);
      expect(new Set(offered()).size).toBe(49);
      expect(offered()).not.toContain(left[0]!.fileId);
    }
  });

  it('never shows a slot empty while it is replaced', async () => {
    const { save } = room();
    const persona = await addPersona(store);
    await save.run(toSave(persona, 1));
    let replacing = true;
    const watch = (async () => {
      const seen = new Set<number>();
      while (replacing) {
        const { slotsFilled } = (await store.personas.read(persona.workspaceId, persona.id))!;
        seen.add(slotsFilled);
      }
      return seen;
    })();
    for (let count = 0; count < 100; count++) await save.run(toSave(persona, 1));
    replacing = false;
    expect(await watch).toEqual(new Set([1]));
  });

  it('finds the slot filled when it is emptied while it is replaced', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { save, remove } = room();
      const persona = await addPersona(store);
      await save.run(toSave(persona, 2));
      const { workspaceId, id } = persona;
      await Promise.all([
        save.run(toSave(persona, 2)),
        remove.run(workspaceId, id, { slot: 2 }),
        save.run(toSave(persona, 2)),
      ]);
      expect((await inSlots(persona)).length).toBeLessThanOrEqual(1);
    }
  });

  it('keeps one training a slot when two change places and others are saved into both', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { save, update } = room();
      const persona = await addPersona(store);
      const one = await save.run(toSave(persona, 1));
      const two = await save.run(toSave(persona, 2));
      const move = (trainingId: number, slot: Slot) =>
        update.run({ workspaceId: persona.workspaceId, personaId: persona.id, trainingId, slot });
      const answers = await Promise.allSettled([
        move(one.trainingId, 2),
        move(two.trainingId, 1),
        save.run(toSave(persona, 1)),
        save.run(toSave(persona, 2)),
      ]);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'not_found' });
      }
      const slots = (await inSlots(persona)).map(({ slot }) => slot);
      expect(new Set(slots).size).toBe(slots.length);
    }
  });

  it('leaves no training on a persona that is deleted while it is liked and filled', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { save, deletePersona, jobs } = room();
      const persona = await addPersona(store);
      const { workspaceId, createdBy: userId } = persona;
      const deletion = { workspaceId, userId, role: 'member' as const };
      const answers = await Promise.allSettled([
        ...Array.from({ length: 6 }, () => save.run(toSave(persona, null))),
        deletePersona.run(deletion, persona.id),
        deletePersona.run(deletion, persona.id),
        ...Array.from({ length: 6 }, () => save.run(toSave(persona, 6))),
      ]);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'not_found' });
      }
      expect(jobs.announced.filter(({ name }) => name === 'persona.purge')).toHaveLength(1);
      const left = await db.database.query('select id from trainings where persona_id = $1', [persona.id]);
      expect(left).toEqual([]);
    }
  });

  it('settles a picture once, whatever is processed, failed, replaced and removed at once', async () => {
    const { jobs, remove, update, offered } = room();
    const imported: number[] = [];
    const importPicture = {
      run: async ({ workspaceId, personaId }: { workspaceId: number; personaId: number | null }) => {
        const file = await store.newFile(workspaceId, personaId);
        imported.push(file.id);
        return file as StoredFile;
      },
    };
    const process = new ProcessTraining(store.trainings, importPicture, jobs, store.unitOfWork);
    const fail = new FailTraining(store.trainings);
    const run = { attempt: 1, signal: new AbortController().signal };

    for (let round = 0; round < ROUNDS * 3; round++) {
      const persona = await addPersona(store);
      const { id: trainingId } = await addUnsettled(store, persona, 7);
      const place = { workspaceId: persona.workspaceId, personaId: persona.id, trainingId };
      const job = { trainingId, pictureVersion: 1 };
      const rivals = [
        () => fail.run(job, new Error('out of memory')),
        () => update.run({ ...place, image: aPicture }),
        () => remove.run(place.workspaceId, place.personaId, { trainingId }),
      ];
      await Promise.all([process.run(job, run), process.run(job, run), rivals[round % rivals.length]!()]);

      const left = await store.trainings.read(place.workspaceId, place.personaId, trainingId);
      for (const fileId of imported.splice(0)) {
        expect(offered().includes(fileId)).toBe(left?.fileId !== fileId);
      }
      if (left?.pictureVersion === 2) expect(left.state).toBe('created');
    }
  });
});
