/** @tier test, 12 s */
import { describe, expect, it } from '@jest/globals';
import { Files, type StoredFile } from '#files';
import { Personas, TrainingProcessing, Trainings, type Persona, type SavedTraining, type Slot } from '#persona';
import { Sources } from '#sources';
import { suiteDatabase } from '../support/suite-database.ts';
import { personaStoresOn, wholeList } from '../support/persona-stores.ts';
import { Product } from '../support/product.ts';
import { inRounds } from '../support/rounds.ts';

const STORED = 'https://storage.test/mine.png';
const aPicture = 'https://pictures.test/one.png';

const db = await suiteDatabase({ poolSize: 20 });
const stores = personaStoresOn(db.database);

describe('concurrent changes of a persona in PostgreSQL', () => {
  /** The use cases on a new persona, and the jobs they announce. Each use of the stored URL refers to a new file. */
  async function setUp() {
    const files = {
      resolve: async ({ workspaceId, url }: { workspaceId: number; url: string }) =>
        url === STORED ? ((await stores.newFile(workspaceId, null)) as StoredFile) : null,
    };
    const product = new Product(db).with(Files, files);
    const { jobs } = product;
    const trainings = product.get(Trainings);
    const persona = await stores.newPersona();
    return {
      product,
      jobs,
      persona,
      place: { workspaceId: persona.workspaceId, personaId: persona.id },
      trainings,
      save: (slot: Slot | null, picture?: string) => trainings.save(toSave(persona, slot, picture)),
      /** Files whose deletion is scheduled. */
      deleted: () => jobs.announced.flatMap((job) => (job.name === 'files.reclaim' ? job.payload.fileIds : [])),
    };
  }

  const inEachRound = (play: (stand: Awaited<ReturnType<typeof setUp>>, round: number) => Promise<void>) =>
    inRounds(async (round) => play(await setUp(), round));

  /** Some calls may find what another one has deleted. */
  const allOrNotFound = async (calls: readonly Promise<unknown>[]) => {
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'not_found' });
    }
  };

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

  it('leaves one training in a slot that 50 fill, and schedules the deletion of the files of the 49 others', () =>
    inEachRound(async ({ persona, save, deleted }) => {
      const saved = await Promise.all(Array.from({ length: 50 }, () => save(4, STORED)));
      const left = await inSlots(persona);
      expect(left).toHaveLength(1);
      expect(saved.map(({ training }) => training.id)).toContain(left[0]!.id);
      expect(saved.filter(({ replaced }) => !replaced)).toHaveLength(1);
      expect(new Set(deleted()).size).toBe(49);
      expect(deleted()).not.toContain(left[0]!.fileId);
    }));

  it('never shows a slot empty while it is replaced', async () => {
    const { persona, save } = await setUp();
    await save(1);
    let replacing = true;
    const watch = (async () => {
      const seen = new Set<number>();
      while (replacing) {
        const { slotsFilled } = (await stores.views.persona(persona.workspaceId, persona.id))!;
        seen.add(slotsFilled);
      }
      return seen;
    })();
    for (let count = 0; count < 100; count++) await save(1);
    replacing = false;
    expect(await watch).toEqual(new Set([1]));
  });

  it('finds the slot filled when it is emptied while it is replaced', () =>
    inEachRound(async ({ persona, trainings, save }) => {
      await save(2);
      await Promise.all([save(2), trainings.remove(persona.workspaceId, persona.id, { slot: 2 }), save(2)]);
      expect((await inSlots(persona)).length).toBeLessThanOrEqual(1);
    }));

  it('keeps one training a slot when two change places and others are saved into both', () =>
    inEachRound(async ({ persona, place, trainings, save }) => {
      const [one, two] = [await save(1), await save(2)];
      const move = ({ training: { id: trainingId } }: SavedTraining, slot: Slot) =>
        trainings.update({ ...place, trainingId, slot });
      await allOrNotFound([move(one, 2), move(two, 1), save(1), save(2)]);
      const slots = (await inSlots(persona)).map(({ slot }) => slot);
      expect(new Set(slots).size).toBe(slots.length);
    }));

  it('leaves no training on a persona that is deleted while it is liked and filled', () =>
    inEachRound(async ({ product, persona, jobs, save }) => {
      const { workspaceId, createdBy: userId } = persona;
      const deletion = { workspaceId, userId, role: 'member' as const };
      await allOrNotFound([
        ...Array.from({ length: 6 }, () => save(null)),
        product.get(Personas).delete(deletion, persona.id),
        product.get(Personas).delete(deletion, persona.id),
        ...Array.from({ length: 6 }, () => save(6)),
      ]);
      expect(jobs.announced.filter(({ name }) => name === 'deletion.carry_out')).toHaveLength(1);
      expect(await stores.views.trainings(workspaceId, persona.id, null, wholeList)).toBeNull();
    }));

  it('ends a picture once, whatever is processed, failed, replaced and removed at once', () =>
    inEachRound(async ({ product, persona, place, trainings, deleted }, round) => {
      const imported: number[] = [];
      const sources = {
        importPicture: async () => {
          const file = await stores.newFile(place.workspaceId, place.personaId);
          imported.push(file.id);
          return file as StoredFile;
        },
      };
      const processing = product.with(Sources, sources).get(TrainingProcessing);
      const run = { attempt: 1, workspaceId: null, signal: new AbortController().signal };
      const { id: trainingId } = await stores.newCreated(persona, 7);
      const job = { trainingId, pictureVersion: 1 };
      const rivals = [
        () => processing.fail(job, new Error('out of memory')),
        () => trainings.update({ ...place, trainingId, image: aPicture }),
        () => trainings.remove(place.workspaceId, place.personaId, { trainingId }),
      ];
      await Promise.all([processing.run(job, run), processing.run(job, run), rivals[round % rivals.length]!()]);

      const left = await stores.views.training(place.workspaceId, place.personaId, trainingId);
      for (const fileId of imported) expect(deleted().includes(fileId)).toBe(left?.fileId !== fileId);
      if (left?.pictureVersion === 2) expect(left.state).toBe('created');
    }));
});
