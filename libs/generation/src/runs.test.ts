import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceFailure } from '#sources';
import { ManualClock } from '#testing/kernel';
import { eventually } from '../../../test/support/eventually.ts';
import { GenerationStage } from '../../../test/support/generation-store.ts';
import { ProviderFailure, type GenerationProvider, type GenerationTask } from './ports.ts';

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

/** Between checks of a run that are to come only after its end. */
const LATE_MS = 600_000;
const clock = new ManualClock();
let stage: GenerationStage;
beforeAll(async () => (stage = await GenerationStage.open({ clock })));
afterAll(() => stage.close());
beforeEach(() => stage.enter());

/** Sets what the provider does, and resolves when it begins. */
function begun(work: GenerationProvider['run']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stage.work = (task, watch) => {
    resolve();
    return work(task, watch);
  };
  return promise;
}

describe('running a generation', () => {
  it('gives the provider the inputs as files, and the parameters', async () => {
    const main = await stage.newFile();
    await stage.fill(7, main);
    const given: GenerationTask[] = [];
    stage.work = async (task) => {
      given.push(task);
      return [stage.aPicture];
    };
    const styleTransfer = 'https://else.test/style.png';
    const id = await stage.accepted({ styleTransfer, prompt: 'a fox', fields: { count: 2 } });
    await stage.run(id);
    expect(stage.opened).toEqual([main.url, styleTransfer]);
    expect(given).toEqual([
      {
        generationId: id,
        model: 'test-image',
        prompt: 'a fox',
        parameters: { count: 2 },
        image: { file: `${stage.folder}/1`, contentType: 'image/png', url: main.url },
        style: { file: `${stage.folder}/2`, contentType: 'image/png', url: null },
        pictures: [],
        mask: null,
        trainedStyle: null,
        folder: stage.folder,
      },
    ]);
  });

  it('stores the outputs as files that the persona shows, and charges once, however often it is delivered', async () => {
    stage.work = async () => [stage.aPicture, stage.aPicture];
    await stage.db.query(`update personas set updated_at = 'epoch' where id = $1`, [stage.personaId]);
    const id = await stage.accepted();
    await stage.run(id);
    const view = await stage.view(id);
    expect(view).toMatchObject({ state: 'succeeded', progress: 1, error: null });
    const size = { width: 8, height: 6 };
    const thumbnail = { key: expect.stringMatching(new RegExp(`^files/.*/generation-${id}-8\\.webp$`)), ...size };
    const facts = {
      fileId: expect.any(Number),
      contentType: 'image/png',
      ...size,
      duration: null,
      placeholder: expect.any(String),
      label: null,
      score: null,
    };
    const file = { ...facts, thumbnails: [thumbnail] };
    const key = expect.stringMatching(new RegExp(`^files/.*/generation-${id}\\.png$`));
    expect(view.outputs).toEqual([
      { index: 0, key, name: 'test-image', ...file },
      { index: 1, key, name: 'test-image (2)', ...file },
    ]);
    expect([(await stage.outputFiles()).kept.length, await stage.shownFiles()]).toEqual([4, 2]);
    const [persona] = await stage.db.query('select updated_at from personas where id = $1', [stage.personaId]);
    expect(persona).toEqual({ updated_at: view.finishedAt });

    stage.work = () => Promise.reject(new Error('must not run again'));
    await stage.run(id, { attempt: 2 });
    await stage.generations.fail(id, new Error('late'));
    expect(await stage.view(id)).toEqual(view);
    expect((await stage.outputFiles()).all).toHaveLength(4);
    expect(await stage.used()).toBe(4);
  });

  it('references the files of its inputs until it ends, and still shows them then', async () => {
    const [image, extra, mask] = [await stage.newFile(), await stage.newFile(), await stage.newFile()];
    const id = await stage.accepted({
      model: 'test-collage',
      image: image.url,
      extraImages: [extra.url],
      maskImage: mask.url,
    });
    const fileIds = [image, extra, mask].map(({ fileId }) => fileId);
    const referenced = async (): Promise<unknown[]> => {
      const own = 'select image_file_id as id from generations where image_file_id = any($1)';
      const further = 'select file_id from generation_inputs where file_id = any($1)';
      return (await stage.db.query<{ id: number }>(`${own} union all ${further}`, [fileIds])).map((row) => row.id);
    };
    expect([(await referenced()).toSorted(), stage.deletable]).toEqual([fileIds.toSorted(), []]);
    await stage.run(id);
    expect([await referenced(), stage.deletable]).toEqual([[], fileIds]);
    const { inputs } = (await stage.view(id)).request;
    expect(inputs).toMatchObject({ image: { key: image.key, fileId: null }, mask: { key: mask.key, fileId: null } });
    expect(inputs.references).toEqual([{ key: extra.key, fileId: null }]);
  });

  it('reads the inputs resolved at acceptance, also if the slots of its persona changed later', async () => {
    const [style, reference, later] = [await stage.newFile(), await stage.newFile(), await stage.newFile()];
    await stage.fill(1, style);
    await stage.fill(3, reference);
    const id = await stage.accepted({ model: 'test-collage' });
    await stage.db.query('delete from trainings where slot = 3 and persona_id = $1', [stage.personaId]);
    for (const slot of [2, 7]) await stage.fill(slot, later);
    await stage.db.query('update trainings set file_id = $1 where slot = 1 and persona_id = $2', [
      later.fileId,
      stage.personaId,
    ]);
    await stage.run(id);
    expect(stage.opened).toEqual([style.url, reference.url]);
  });

  it('records the progress that the provider reports, which never decreases', async () => {
    const id = await stage.accepted();
    const recorded = (than: number) =>
      eventually(async () => {
        const { progress } = await stage.view(id);
        return progress !== than && progress;
      });
    const seen: number[] = [];
    stage.work = async (_, watch) => {
      for (const fraction of [0.2, 0.5, 0.4]) watch.progress(fraction);
      seen.push(await recorded(0));
      watch.progress(7);
      seen.push(await recorded(0.5));
      return [stage.aPicture];
    };
    await stage.run(id, {}, 20);
    expect(seen).toEqual([0.5, 1]);
  });

  it('stops the provider when it is canceled, and stores nothing', async () => {
    const id = await stage.accepted();
    let stopped = false;
    const began = begun((_, { signal }) => untilAborted(signal).finally(() => (stopped = true)));
    const run = stage.run(id, {}, 20);
    await began;
    await stage.generations.cancel(stage.actor, id);
    expect(await stage.used()).toBe(0);
    await run;
    expect(stopped).toBe(true);
    expect((await stage.outputFiles()).all).toEqual([]);
    expect(await stage.view(id)).toMatchObject({ state: 'canceled', outputs: [] });
  });

  it('hides and deletes the outputs that were stored when it was canceled at the last moment', async () => {
    const id = await stage.accepted();
    stage.work = async () => {
      await stage.generations.cancel(stage.actor, id);
      return [stage.aPicture, stage.aPicture];
    };
    await stage.run(id, {}, LATE_MS);
    expect(await stage.view(id)).toMatchObject({ state: 'canceled', outputs: [] });
    const { all, pictures, kept } = await stage.outputFiles();
    expect([all.length, kept, await stage.shownFiles()]).toEqual([4, [], 0]);
    // Their thumbnails go with them.
    expect(stage.deletable).toEqual(pictures);
    expect(await stage.used()).toBe(0);
  });

  it('writes nothing in a replaced run, and deletes the files that the run stored', async () => {
    const id = await stage.accepted();
    const { promise: late, resolve: wake } = Promise.withResolvers<void>();
    const began = begun(() => late.then(() => [stage.aPicture]));
    const replaced = stage.run(id, { attempt: 1 }, LATE_MS);
    await began;
    stage.work = async () => [stage.aPicture];
    await stage.run(id, { attempt: 2 });
    const after = await stage.view(id);
    expect(after.state).toBe('succeeded');
    wake();
    await replaced;
    expect(await stage.view(id)).toEqual(after);
    const { all, pictures, kept } = await stage.outputFiles();
    expect(stage.deletable).toEqual(pictures.filter((file) => !kept.includes(file)));
    expect([all.length, kept.length, await stage.shownFiles(), await stage.used()]).toEqual([4, 2, 1, 4]);
  });

  it('ignores the failure of a run that a later one has replaced', async () => {
    const id = await stage.accepted();
    stage.work = async () => {
      await stage.store.claim(id, 2, new Date());
      throw new ProviderFailure('invalid_input', 'broken');
    };
    await stage.run(id, { attempt: 1 });
    expect((await stage.view(id)).state).toBe('running');
  });

  it('stops with the worker, storing nothing, and another run takes over', async () => {
    const id = await stage.accepted();
    const worker = new AbortController();
    const began = begun((_, { signal }) => untilAborted(signal));
    const run = stage.run(id, { signal: worker.signal });
    await began;
    worker.abort(new Error('stopping'));
    await expect(run).rejects.toThrow('stopping');
    expect(await stage.view(id)).toMatchObject({ state: 'running', error: null });
    expect(await stage.used()).toBe(4);

    const late = new AbortController();
    stage.work = async () => {
      late.abort(new Error('stopping'));
      return [stage.aPicture];
    };
    await expect(stage.run(id, { attempt: 2, signal: late.signal })).rejects.toThrow('stopping');
    expect((await stage.outputFiles()).all).toEqual([]);

    stage.work = async () => [stage.aPicture];
    await stage.run(id, { attempt: 3 });
    expect((await stage.view(id)).state).toBe('succeeded');
  });

  it('throws its failure, which retries or fails the job', async () => {
    const id = await stage.accepted();
    const failure = new ProviderFailure('provider_unavailable', 'it has died', { retryable: true });
    stage.work = () => Promise.reject(failure);
    await expect(stage.run(id)).rejects.toBe(failure);
    expect((await stage.view(id)).state).toBe('running');
    expect(await stage.used()).toBe(4);
    stage.work = async () => [];
    await expect(stage.run(id, { attempt: 2 })).rejects.toMatchObject({ retryable: false });
  });

  it('names the input that cannot be used, and whether it may work later', async () => {
    const styleTransfer = 'https://else.test/no.png';
    stage.broken.set(styleTransfer, new SourceFailure('not_an_image', { retryable: false }));
    await expect(stage.run(await stage.accepted({ styleTransfer }))).rejects.toMatchObject({
      code: 'not_an_image',
      message: 'the style reference is not a picture that can be read',
      retryable: false,
    });
  });

  it('fails when the persona is deleted: before it starts, and before the outputs are kept', async () => {
    const id = await stage.accepted();
    stage.work = async () => {
      await stage.deletePersona();
      return [stage.aPicture];
    };
    await expect(stage.run(id)).rejects.toMatchObject({ code: 'no_persona' });
    const { all, pictures, kept } = await stage.outputFiles();
    expect([all.length, kept]).toEqual([2, []]);
    expect(stage.deletable).toEqual(pictures);
    const failure = await stage.run(id, { attempt: 2 }).catch((error: unknown) => error);
    expect((await stage.outputFiles()).all).toEqual(all);
    await stage.generations.fail(id, failure);
    expect(await stage.view(id)).toMatchObject({ state: 'failed', error: { code: 'no_persona' } });
    expect(await stage.used()).toBe(0);
  });

  it('waits, and does not fail, for a worker that has its model, but no longer than an hour', async () => {
    const id = await stage.accepted();
    stage.models = [];
    const postponed = (seconds: number) => ({ name: 'JobPostponed', seconds });
    await expect(stage.run(id)).rejects.toMatchObject(postponed(2));
    await expect(stage.run(id, { attempt: 9 })).rejects.toMatchObject(postponed(60));
    expect((await stage.view(id)).error).toBeNull();
    clock.advance(3_600);
    await expect(stage.run(id, { attempt: 10 })).rejects.toMatchObject({ name: 'ProviderFailure', retryable: false });
  });

  it('does nothing for a generation that is unknown', async () => {
    await expect(stage.run(987_654_321)).resolves.toBeUndefined();
  });
});
