import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, type Job } from '#kernel';
import { SourceFailure } from '#sources';
import type { StoredFile } from '#files';
import { directUnitOfWork, ManualClock, RecordedJobs } from '#testing/kernel';
import type { Persona } from '../domain/persona.ts';
import { InMemoryPersonaStore, someTime } from '../testing/index.ts';
import { FailTraining } from './fail-training.ts';
import { ListTrainings } from './list-trainings.ts';
import { ProcessTraining } from './process-training.ts';
import { ReadPersona } from './read-persona.ts';
import { ReadTraining } from './read-training.ts';
import { RemoveTraining } from './remove-training.ts';
import { SaveTraining, type TrainingToSave } from './save-training.ts';
import { UpdateTraining, type TrainingChanges } from './update-training.ts';

const urls = { publicUrl: (key: string) => `https://storage.test/${key}` };
const fox = 'https://pictures.test/fox.png';
const owl = 'https://pictures.test/owl.png';
const run = { attempt: 1, signal: new AbortController().signal };

describe('trainings', () => {
  let store: InMemoryPersonaStore;
  let jobs: RecordedJobs;
  let persona: Persona;
  let stored: Map<string, StoredFile>;

  beforeEach(async () => {
    store = new InMemoryPersonaStore();
    jobs = new RecordedJobs();
    stored = new Map();
    persona = await store.personas.add({
      workspaceId: 1,
      createdBy: 10,
      name: 'Ada',
      title: null,
      knows: null,
      profession: null,
      createdAt: someTime,
    });
  });

  /** A file of the workspace, under its public URL. */
  function storedUrl(contentType = 'image/png'): string {
    const file = store.addFile(persona.id);
    const url = urls.publicUrl(file.key);
    stored.set(url, { ...file, contentType } as StoredFile);
    return url;
  }
  const adoptFile = {
    run: async ({ url }: { url: string }) => {
      const file = stored.get(url) ?? null;
      if (!file && url.startsWith(urls.publicUrl(''))) throw new DomainError('not_found', 'no such file');
      return file;
    },
  };
  const files = {
    find: async (id: number) => [...stored.values()].find((file) => file.id === id) ?? null,
  };

  const save = (given: Partial<TrainingToSave> = {}) =>
    new SaveTraining(
      store.personas,
      store.trainings,
      adoptFile,
      urls,
      jobs,
      directUnitOfWork,
      new ManualClock(),
    ).run({
      workspaceId: 1,
      personaId: persona.id,
      slot: null,
      picture: fox,
      pictureField: 'image',
      extras: null,
      info: null,
      ...given,
    });
  const update = (trainingId: number, changes: Partial<TrainingChanges>) =>
    new UpdateTraining(store.trainings, files, adoptFile, urls, jobs, directUnitOfWork).run({
      workspaceId: 1,
      personaId: persona.id,
      trainingId,
      ...changes,
    });
  const read = (trainingId: number) => new ReadTraining(store.trainings, urls).run(1, persona.id, trainingId);
  const process = (trainingId: number, importPicture: () => Promise<StoredFile>, pictureVersion = 1) =>
    new ProcessTraining(store.trainings, { run: importPicture }, jobs, directUnitOfWork).run(
      { trainingId, pictureVersion },
      run,
    );
  const fail = (trainingId: number, reason: unknown, pictureVersion = 1) =>
    new FailTraining(store.trainings).run({ trainingId, pictureVersion }, reason);
  /** The jobs announced since the last call. */
  const announced = (): Job[] =>
    jobs.announced.splice(0).map(({ name, payload }) => ({ name, payload }) as Job);
  const fileOf = (url: string): number => stored.get(url)!.id;

  describe('saved', () => {
    it('as a like are shown with the URL given, and their picture is copied later', async () => {
      const saved = await save({ extras: 'a fox', info: 'seed 7' });
      expect(saved).toEqual({
        trainingId: saved.trainingId,
        personaId: persona.id,
        slot: null,
        photo: fox,
        state: 'created',
        replaced: false,
      });
      expect(await read(saved.trainingId)).toMatchObject({ image: fox, extras: 'a fox', info: 'seed 7' });
      expect(announced()).toEqual([
        { name: 'training.process', payload: { trainingId: saved.trainingId, pictureVersion: 1 } },
      ]);
    });

    it('with a file of the workspace are processed at once', async () => {
      const picture = storedUrl();
      const { trainingId } = await save({ picture, slot: 1 });
      expect(await read(trainingId)).toMatchObject({ image: picture, slot: 1, state: 'processed' });
      expect(announced()).toEqual([]);
    });

    it('into a filled slot replace what is there and offer its file', async () => {
      const before = storedUrl();
      const first = await save({ slot: 7, picture: before });
      const second = await save({ slot: 7, picture: storedUrl() });
      expect([first.replaced, second.replaced]).toEqual([false, true]);
      await expect(read(first.trainingId)).rejects.toMatchObject({ code: 'not_found' });
      expect(announced()).toEqual([{ name: 'files.reclaim', payload: { fileIds: [fileOf(before)] } }]);
    });

    it('may be likes of any file, but fill a slot with pictures only', async () => {
      const picture = storedUrl('video/mp4');
      expect(await save({ picture })).toMatchObject({ state: 'processed' });
      await expect(save({ picture, slot: 1, pictureField: 'photo' })).rejects.toMatchObject({
        code: 'validation_failed',
        fields: { photo: ['must be a picture to fill a slot'] },
      });
    });

    it('are refused with a file that is not there, a slot that is none, and texts that are too long', async () => {
      await expect(save({ picture: urls.publicUrl('gone.png') })).rejects.toMatchObject({
        code: 'not_found',
      });
      for (const slot of [0, 8]) {
        await expect(save({ slot })).rejects.toMatchObject({ fields: { slot: expect.anything() } });
      }
      for (const field of ['extras', 'info']) {
        await expect(save({ [field]: 'x'.repeat(10_001) })).rejects.toMatchObject({
          fields: { [field]: ['must have at most 10000 characters'] },
        });
      }
      expect(announced()).toEqual([]);
    });

    it('are refused on a persona of another workspace before anything else is looked at', async () => {
      await expect(
        save({ workspaceId: 2, slot: 8, picture: urls.publicUrl('gone.png') }),
      ).rejects.toMatchObject({ code: 'not_found', message: 'no such persona' });
    });
  });

  describe('processed', () => {
    const importing = () => {
      const url = storedUrl();
      return { url, importPicture: async () => stored.get(url)! };
    };

    it('show the public URL of the copy', async () => {
      const { trainingId } = await save({ slot: 3 });
      const { url, importPicture } = importing();
      await process(trainingId, importPicture);
      expect(await read(trainingId)).toMatchObject({ image: url, state: 'processed', error: null });
    });

    it('twice stay as they are', async () => {
      const { trainingId } = await save();
      const { url, importPicture } = importing();
      await process(trainingId, importPicture);
      announced();
      await process(trainingId, () => Promise.reject(new Error('must not be asked for')));
      expect(await read(trainingId)).toMatchObject({ image: url, state: 'processed' });
      expect(announced()).toEqual([]);
    });

    it.each([
      ['replaced', (): Promise<unknown> => save({ slot: 3, picture: owl })],
      [
        'removed',
        (): Promise<unknown> =>
          new RemoveTraining(store.personas, store.trainings, jobs, directUnitOfWork).run(1, persona.id, {
            slot: 3,
          }),
      ],
    ])('while they are %s give their copy back and change nothing', async (_, happen) => {
      const { trainingId } = await save({ slot: 3 });
      const { url, importPicture } = importing();
      await process(trainingId, async () => {
        await happen();
        return importPicture();
      });
      expect(announced()).toContainEqual({ name: 'files.reclaim', payload: { fileIds: [fileOf(url)] } });
      const { slots } = await new ReadPersona(store.personas, urls).run(1, persona.id);
      expect(slots[2]!.photo).not.toBe(url);
    });

    it('while they get another picture leave that one to its own job', async () => {
      const { trainingId } = await save();
      const { url, importPicture } = importing();
      await process(trainingId, async () => {
        await update(trainingId, { image: owl });
        return importPicture();
      });
      await fail(trainingId, new SourceFailure('url_timeout', { retryable: true }));
      expect(await read(trainingId)).toMatchObject({ image: owl, state: 'created' });
      expect(announced()).toContainEqual({ name: 'files.reclaim', payload: { fileIds: [fileOf(url)] } });

      const second = importing();
      await process(trainingId, second.importPicture, 2);
      expect(await read(trainingId)).toMatchObject({ image: second.url, state: 'processed' });
    });

    it('without success say why, and keep the URL given', async () => {
      const failure = new SourceFailure('not_an_image', { retryable: false });
      const { trainingId } = await save({ slot: 7 });
      await expect(process(trainingId, () => Promise.reject(failure))).rejects.toBe(failure);
      expect(await read(trainingId)).toMatchObject({ state: 'created' });
      await fail(trainingId, failure);
      expect(await read(trainingId)).toMatchObject({ image: fox, state: 'failed', error: 'not_an_image' });
      const { slots } = await new ReadPersona(store.personas, urls).run(1, persona.id);
      expect(slots[6]).toMatchObject({ photo: fox, state: 'failed', error: 'not_an_image' });
    });

    it.each([
      [new DomainError('unavailable', 'the storage is not reachable'), 'unavailable'],
      [new Error('its worker died 12 times'), 'internal_error'],
    ])('and given up on %s fail with %s', async (reason, error) => {
      const { trainingId } = await save();
      await fail(trainingId, reason);
      expect(await read(trainingId)).toMatchObject({ state: 'failed', error });
    });

    it('do not fail afterwards', async () => {
      const { trainingId } = await save();
      await process(trainingId, importing().importPicture);
      await fail(trainingId, new SourceFailure('url_timeout', { retryable: true }));
      expect(await read(trainingId)).toMatchObject({ state: 'processed', error: null });
    });
  });

  describe('updated', () => {
    it('in their notes keep their place and picture', async () => {
      const picture = storedUrl();
      const { trainingId } = await save({ slot: 2, picture, extras: 'a fox', info: 'seed 7' });
      const updated = await update(trainingId, { extras: 'an owl', info: null });
      expect(updated).toMatchObject({
        slot: 2,
        image: picture,
        extras: 'an owl',
        info: null,
        state: 'processed',
      });
      expect(await read(trainingId)).toEqual(updated);
      expect(announced()).toEqual([]);
    });

    it('with a picture to be copied start anew and offer the file before', async () => {
      const before = storedUrl();
      const { trainingId } = await save({ slot: 2, picture: before });
      const updated = await update(trainingId, { image: owl });
      expect(updated).toMatchObject({ slot: 2, image: owl, state: 'created' });
      expect(announced()).toEqual([
        { name: 'training.process', payload: { trainingId, pictureVersion: 2 } },
        { name: 'files.reclaim', payload: { fileIds: [fileOf(before)] } },
      ]);
    });

    it('with a file of the workspace are processed at once', async () => {
      const { trainingId } = await save();
      await fail(trainingId, new SourceFailure('url_blocked', { retryable: false }));
      const image = storedUrl();
      expect(await update(trainingId, { image })).toMatchObject({ image, state: 'processed', error: null });
    });

    it('move to a slot, replacing what is there, and out of it to be a like', async () => {
      const before = storedUrl();
      await save({ slot: 4, picture: before });
      const { trainingId } = await save();
      announced();
      expect(await update(trainingId, { slot: 4 })).toMatchObject({ slot: 4, image: fox });
      expect(announced()).toEqual([{ name: 'files.reclaim', payload: { fileIds: [fileOf(before)] } }]);
      expect(await update(trainingId, { slot: null })).toMatchObject({ slot: null });
      const { slots, likesCount } = await new ReadPersona(store.personas, urls).run(1, persona.id);
      expect(slots[3]!.trainingId).toBeNull();
      expect(likesCount).toBe(1);
    });

    it('do not bring into a slot what is no picture', async () => {
      const picture = storedUrl('video/mp4');
      const { trainingId: like } = await save({ picture });
      await expect(update(like, { slot: 1 })).rejects.toMatchObject({ fields: { slot: expect.anything() } });
      const { trainingId } = await save({ slot: 1 });
      await expect(update(trainingId, { image: picture })).rejects.toMatchObject({
        fields: { image: expect.anything() },
      });
      expect(await read(trainingId)).toMatchObject({ slot: 1, image: fox });
    });

    it('are not there for another workspace', async () => {
      const { trainingId } = await save();
      await expect(update(trainingId, { workspaceId: 2, info: 'mine' })).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });

  describe('removed', () => {
    const remove = (place: { trainingId: number } | { slot: 1 }, workspaceId = 1) =>
      new RemoveTraining(store.personas, store.trainings, jobs, directUnitOfWork).run(
        workspaceId,
        persona.id,
        place,
      );

    it('offer their file', async () => {
      const picture = storedUrl();
      const { trainingId } = await save({ picture });
      await remove({ trainingId });
      expect(announced()).toEqual([{ name: 'files.reclaim', payload: { fileIds: [fileOf(picture)] } }]);
      await expect(remove({ trainingId })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('leave their slot empty', async () => {
      await save({ slot: 1 });
      await remove({ slot: 1 });
      await expect(remove({ slot: 1 })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('are not there for another workspace', async () => {
      const { trainingId } = await save({ slot: 1 });
      await expect(remove({ trainingId }, 2)).rejects.toMatchObject({ code: 'not_found' });
      await expect(remove({ slot: 1 }, 2)).rejects.toMatchObject({ code: 'not_found' });
      expect(await read(trainingId)).toMatchObject({ slot: 1 });
    });
  });

  it('are listed by kind, newest first', async () => {
    const like = await save();
    const slot = await save({ slot: 5, picture: storedUrl() });
    const list = async (kind: 'like' | 'slot' | null, workspaceId = 1) => {
      const page = { limit: null, after: null };
      const { items } = await new ListTrainings(store.trainings, urls).run(
        workspaceId,
        persona.id,
        kind,
        page,
      );
      return items;
    };
    const [fromSlot, fromLike] = [await read(slot.trainingId), await read(like.trainingId)];
    expect(await list(null)).toEqual([fromSlot, fromLike]);
    expect(await list('like')).toEqual([fromLike]);
    expect(await list('slot')).toEqual([fromSlot]);
    await expect(list(null, 2)).rejects.toMatchObject({ code: 'not_found' });
  });
});
