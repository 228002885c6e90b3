import { beforeEach, describe, expect, it } from '@jest/globals';
import { Files, type StoredFile } from '#files';
import { DomainError, type Job } from '#kernel';
import { SourceFailure, Sources } from '#sources';
import { personaStoresOn, training } from '../../../test/support/persona-stores.ts';
import { Product } from '../../../test/support/product.ts';
import { suiteDatabase } from '../../../test/support/suite-database.ts';
import type { Persona } from './domain/persona.ts';
import { Personas } from './personas.ts';
import { TrainingProcessing, Trainings, type TrainingChanges, type TrainingToSave } from './trainings.ts';

const STORED = 'https://storage.test/';
const fox = 'https://pictures.test/fox.png';
const owl = 'https://pictures.test/owl.png';
const run = { attempt: 1, workspaceId: null, signal: new AbortController().signal };

/** A file of the workspace and its public URL. */
interface Stored extends Pick<StoredFile, 'id' | 'key' | 'contentType'> {
  readonly url: string;
}

const db = await suiteDatabase();
const stores = personaStoresOn(db.database);
const stored = new Map<string, Stored>();
const files = {
  resolve: async ({ url }: { url: string }) => {
    const file = stored.get(url) ?? null;
    if (!file && url.startsWith(STORED)) throw new DomainError('not_found', 'no such file');
    return file as StoredFile | null;
  },
};
const product = new Product(db).with(Files, files);
const { clock, jobs } = product;
beforeEach(() => product.clear());

describe('personas', () => {
  const personas = product.get(Personas);
  let ada: { workspaceId: number; userId: number; customer: null };
  beforeEach(async () => {
    ada = { ...(await stores.newWorkspace()), customer: null };
  });
  const read = (id: number) => stores.views.persona(ada.workspaceId, id);

  it('change the given fields only', async () => {
    const { id } = await personas.create(ada, { name: 'Ada', title: 'Countess', knows: 'engines' });
    clock.advance(60);
    await personas.update(ada, id, { name: ' Ada King ', knows: null });
    const updated = { name: 'Ada King', title: 'Countess', knows: null, updatedAt: clock.now() };
    expect(await read(id)).toMatchObject(updated);
    const update = (workspaceId: number, name: string) =>
      personas.update({ workspaceId, customer: null }, id, { name });
    await expect(update(ada.workspaceId, '')).rejects.toMatchObject({ code: 'validation_failed' });
    const { workspaceId: elsewhere } = await stores.newWorkspace();
    await expect(update(elsewhere, 'Mine')).rejects.toMatchObject({ code: 'not_found' });
    expect(await read(id)).toMatchObject(updated);
  });

  it('are deleted at once by permitted callers, and their files later', async () => {
    const { workspaceId } = ada;
    const persona = await personas.create(ada, {});
    const file = await stores.newFile(workspaceId, null);
    const like = await stores.trainings.add(training(persona, null, { fileId: file.id }));
    const deleteAs = (actor: { userId?: number; workspaceId?: number }, role: 'member' | 'owner' = 'member') =>
      personas.delete({ ...ada, role, ...actor }, persona.id);
    const other = await stores.newWorkspace();
    await expect(deleteAs(other, 'owner')).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteAs({ userId: other.userId })).rejects.toMatchObject({ code: 'forbidden' });
    expect(jobs.announced).toEqual([]);

    await deleteAs({});
    await expect(deleteAs({})).rejects.toMatchObject({ code: 'not_found' });
    expect(await read(persona.id)).toBeNull();
    expect(await stores.views.training(workspaceId, persona.id, like.id)).toBeNull();
    expect(jobs.announced).toMatchObject([{ name: 'deletion.carry_out' }]);
  });
});

describe('trainings', () => {
  const trainings = product.get(Trainings);
  let persona: Persona;
  let workspaceId: number;
  beforeEach(async () => {
    persona = await stores.newPersona();
    ({ workspaceId } = persona);
  });

  async function newStored(contentType?: string): Promise<Stored> {
    const file = await stores.newFile(workspaceId, persona.id, contentType);
    const url = `${STORED}${file.key}`;
    stored.set(url, { ...file, url });
    return { ...file, url };
  }

  const save = (given: Partial<TrainingToSave> = {}) => {
    const like = { slot: null, picture: fox, pictureField: 'image', extras: null, info: null } as const;
    return trainings.save({ workspaceId, personaId: persona.id, ...like, ...given });
  };
  const saveId = async (given: Partial<TrainingToSave> = {}) => (await save(given)).training.id;
  const update = (trainingId: number, changes: Partial<TrainingChanges>) =>
    trainings.update({ workspaceId, personaId: persona.id, trainingId, ...changes });
  const remove = (place: { trainingId: number } | { slot: 3 }) => trainings.remove(workspaceId, persona.id, place);
  const read = (trainingId: number) => stores.views.training(workspaceId, persona.id, trainingId);

  const processing = (importPicture: () => Promise<Stored>) => {
    const sources = { importPicture: async () => (await importPicture()) as Stored & StoredFile };
    return new Product(db, product).with(Sources, sources).get(TrainingProcessing);
  };
  const process = (trainingId: number, importPicture: () => Promise<Stored>, pictureVersion = 1) =>
    processing(importPicture).run({ trainingId, pictureVersion }, run);
  const fail = (trainingId: number, reason: unknown, pictureVersion = 1) =>
    processing(newStored).fail({ trainingId, pictureVersion }, reason);

  /** The jobs announced since the last call. */
  const announced = (): Job[] => jobs.announced.splice(0).map(({ name, payload }) => ({ name, payload }) as Job);
  const processJob = (trainingId: number, pictureVersion = 1) => ({
    name: 'training.process',
    payload: { trainingId, pictureVersion },
  });
  const deletionOf = ({ id }: Stored) => ({ name: 'files.reclaim', payload: { fileIds: [id] } });

  describe('saved', () => {
    it('as a like have the given URL until their picture is copied', async () => {
      const saved = await save({ extras: 'a fox', info: 'seed 7' });
      const { id } = saved.training;
      expect(saved).toMatchObject({ training: { slot: null, state: 'created', file: null }, replaced: false });
      expect(await read(id)).toMatchObject({ sourceUrl: fox, extras: 'a fox', info: 'seed 7', file: null });
      expect(announced()).toEqual([processJob(id)]);
    });

    it('with a stored file are processed at once', async () => {
      const { url, key } = await newStored();
      const { training } = await save({ picture: url, slot: 1 });
      expect(training).toMatchObject({ state: 'processed', file: { key } });
      expect(await read(training.id)).toMatchObject({ slot: 1, state: 'processed', file: { key } });
      expect(announced()).toEqual([]);
    });

    it('may be likes of any file, but only pictures fill a slot', async () => {
      const { url: picture } = await newStored('video/mp4');
      expect(await save({ picture })).toMatchObject({ training: { state: 'processed' } });
      await expect(save({ picture, slot: 1, pictureField: 'photo' })).rejects.toMatchObject({
        code: 'validation_failed',
        fields: { photo: ['must be a picture to fill a slot'] },
      });
    });

    it('are refused with a missing file, an invalid slot, or too long texts', async () => {
      const missing = save({ picture: `${STORED}gone.png` });
      await expect(missing).rejects.toMatchObject({ code: 'not_found' });
      await expect(save({ slot: 8 })).rejects.toMatchObject({ fields: { slot: expect.anything() } });
      await expect(save({ info: 'x'.repeat(10_001) })).rejects.toMatchObject({ fields: { info: expect.anything() } });
      expect(announced()).toEqual([]);
    });
  });

  describe('processed', () => {
    it('refer to the copy, and are not processed twice', async () => {
      const id = await saveId({ slot: 3 });
      const { key, ...copy } = await newStored();
      announced();
      await process(id, async () => ({ key, ...copy }));
      await process(id, () => Promise.reject(new Error('must not be called')));
      expect(await read(id)).toMatchObject({ state: 'processed', error: null, fileId: copy.id, file: { key } });
      expect(announced()).toEqual([]);
    });

    it.each([
      ['replaced', (): Promise<unknown> => save({ slot: 3, picture: owl })],
      ['removed', (): Promise<unknown> => remove({ slot: 3 })],
    ])('while they are %s change nothing and delete the copy', async (_, happen) => {
      const id = await saveId({ slot: 3 });
      const copy = await newStored();
      await process(id, async () => {
        await happen();
        return copy;
      });
      expect(announced()).toContainEqual(deletionOf(copy));
      const { trainings: left } = (await stores.views.persona(workspaceId, persona.id))!;
      for (const { file } of left) expect(file?.key).not.toBe(copy.key);
    });

    it('do not overwrite a picture that was replaced meanwhile', async () => {
      const id = await saveId();
      const [first, second] = [await newStored(), await newStored()];
      await process(id, async () => {
        await update(id, { image: owl });
        return first;
      });
      await fail(id, new SourceFailure('url_timeout', { retryable: true }));
      expect(await read(id)).toMatchObject({ sourceUrl: owl, state: 'created' });
      expect(announced()).toContainEqual(deletionOf(first));

      await process(id, async () => second, 2);
      expect(await read(id)).toMatchObject({ state: 'processed', fileId: second.id });
    });

    it('without success stay unprocessed for a retry', async () => {
      const failure = new SourceFailure('not_an_image', { retryable: false });
      const id = await saveId({ slot: 7 });
      await expect(process(id, () => Promise.reject(failure))).rejects.toBe(failure);
      expect(await read(id)).toMatchObject({ state: 'created' });
    });

    it.each([
      [new SourceFailure('not_an_image', { retryable: false }), 'not_an_image'],
      [new DomainError('unavailable', 'the storage is not reachable'), 'unavailable'],
      [new Error('its worker died 12 times'), 'internal_error'],
    ])('fail with %s as %s', async (reason, error) => {
      const id = await saveId();
      await fail(id, reason);
      expect(await read(id)).toMatchObject({ sourceUrl: fox, state: 'failed', error });
    });
  });

  describe('updated', () => {
    it('in their notes keep slot and picture', async () => {
      const { url: picture, key } = await newStored();
      const id = await saveId({ slot: 2, picture, extras: 'a fox', info: 'seed 7' });
      const updated = await update(id, { extras: 'an owl', info: null });
      expect(updated).toMatchObject({ slot: 2, file: { key }, extras: 'an owl', info: null });
      expect(await read(id)).toEqual(updated);
      expect(announced()).toEqual([]);
    });

    it('with another picture are processed again, or at once if it is a stored file', async () => {
      const [before, after] = [await newStored(), await newStored()];
      const id = await saveId({ slot: 2, picture: before.url });
      const updated = await update(id, { image: owl });
      expect(updated).toMatchObject({ slot: 2, sourceUrl: owl, state: 'created', file: null });
      expect(announced()).toEqual([processJob(id, 2), deletionOf(before)]);

      await fail(id, new SourceFailure('url_blocked', { retryable: false }), 2);
      const replaced = await update(id, { image: after.url });
      expect(replaced).toMatchObject({ state: 'processed', error: null, file: { key: after.key } });
    });

    it('move to a slot, where they replace the training, and out of it as a like', async () => {
      const before = await newStored();
      await save({ slot: 4, picture: before.url });
      const id = await saveId();
      announced();
      expect(await update(id, { slot: 4 })).toMatchObject({ slot: 4, sourceUrl: fox });
      expect(announced()).toEqual([deletionOf(before)]);
      expect(await update(id, { slot: null })).toMatchObject({ slot: null });
      const emptied = { slotsFilled: 0, likesCount: 1 };
      expect(await stores.views.persona(workspaceId, persona.id)).toMatchObject(emptied);
    });

    it('do not move other files than pictures into a slot', async () => {
      const { url: picture } = await newStored('video/mp4');
      const like = await saveId({ picture });
      await expect(update(like, { slot: 1 })).rejects.toMatchObject({ fields: { slot: expect.anything() } });
      const id = await saveId({ slot: 1 });
      const refused = { fields: { image: expect.anything() } };
      await expect(update(id, { image: picture })).rejects.toMatchObject(refused);
      expect(await read(id)).toMatchObject({ slot: 1, sourceUrl: fox });
    });
  });

  it('update the time of the last change of their persona with each change', async () => {
    const moved = async (work: () => Promise<unknown>) => {
      clock.advance(60);
      await work();
      const { updatedAt } = (await stores.personas.find(workspaceId, persona.id))!;
      expect(updatedAt).toEqual(clock.now());
    };
    let trainingId = 0;
    for (const slot of [3, null]) {
      await moved(async () => (trainingId = await saveId({ slot })));
      await moved(() => update(trainingId, { extras: 'a fox' }));
      await moved(() => process(trainingId, newStored));
      await moved(() => remove(slot === 3 ? { slot } : { trainingId }));
    }
    const broken = await saveId();
    await moved(() => fail(broken, new Error('its worker died 12 times')));

    const before = await stores.personas.find(workspaceId, persona.id);
    clock.advance(60);
    await expect(remove({ trainingId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await stores.personas.find(workspaceId, persona.id)).toEqual(before);
  });

  it('removed schedule the deletion of their file', async () => {
    const file = await newStored();
    const trainingId = await saveId({ picture: file.url });
    await remove({ trainingId });
    expect(announced()).toEqual([deletionOf(file)]);
    await expect(remove({ trainingId })).rejects.toMatchObject({ code: 'not_found' });
  });
});
