import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceFailure } from '#sources';
import { ProviderFailure, type GenerationTask } from '../ports/generation-provider.ts';
import { aPicture, PERSONA, Stage, STORE } from '../testing/stage.ts';

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('running a generation', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });

  it('gives the provider the inputs as files, and what was asked for', async () => {
    let given: GenerationTask | undefined;
    stage.work = async (task) => {
      given = task;
      return [aPicture];
    };
    const id = await stage.accepted({ prompt: 'a fox', fields: { count: 2 } });
    await stage.run(id);
    expect(stage.opened).toEqual([`${STORE}7.png`, `${STORE}1.png`]);
    expect(given).toEqual({
      generationId: id,
      model: 'test-image',
      prompt: 'a fox',
      parameters: { count: 2 },
      image: { file: '/scratch/1', contentType: 'image/png' },
      styleReference: { file: '/scratch/2', contentType: 'image/png' },
      folder: '/scratch',
    });
  });

  it('stores the outputs as files of the persona, and charges once', async () => {
    stage.work = async () => [aPicture, { ...aPicture, file: '/made/2.png' }];
    const id = await stage.accepted();
    await stage.run(id);
    expect(stage.stored).toMatchObject([
      { personaId: PERSONA, origin: 'output', filename: `generation-${id}.png`, file: '/made/1.png' },
      { personaId: PERSONA, origin: 'output', filename: `generation-${id}.png`, file: '/made/2.png' },
    ]);
    const view = await stage.view(id);
    expect(view).toMatchObject({ state: 'succeeded', progress: 1, error: null });
    expect(view.outputs).toHaveLength(2);
    expect(await stage.balance()).toEqual({ allocation: 100, used: 4 });
  });

  it('lets the files of its inputs go when it ends', async () => {
    const id = await stage.accepted();
    expect(stage.reclaimed).toEqual([]);
    await stage.run(id);
    expect(stage.reclaimed).toEqual([17, 11]);
  });

  it('changes nothing when it is delivered again after its end', async () => {
    const id = await stage.accepted();
    await stage.run(id);
    const before = await stage.view(id);
    stage.work = async () => {
      throw new Error('must not run again');
    };
    await stage.run(id, { attempt: 2 });
    await stage.giveUp.run(id, new Error('late'));
    expect(await stage.view(id)).toEqual(before);
    expect(stage.stored).toHaveLength(1);
    expect(await stage.balance()).toEqual({ allocation: 100, used: 4 });
  });

  it('records the progress that the provider reports, never going back', async () => {
    const id = await stage.accepted();
    const seen: number[] = [];
    await stage.memory.watch(id, (change) => change !== 'missed' && seen.push(change.progress));
    stage.work = async (_, watch) => {
      for (const fraction of [0.2, 0.5, 0.4]) watch.progress(fraction);
      await sleep(600);
      watch.progress(7);
      await sleep(600);
      return [aPicture];
    };
    await stage.run(id);
    expect(seen).toEqual([0, 0.5, 1, 1]);
  });

  it('stops the provider when it is canceled, and keeps nothing', async () => {
    const id = await stage.accepted();
    let stopped = false;
    stage.work = (_, { signal }) => untilAborted(signal).finally(() => (stopped = true));
    const run = stage.run(id);
    await sleep(20);
    await stage.cancel.run(stage.actor, id);
    expect(await stage.balance()).toEqual({ allocation: 100, used: 0 });
    await run;
    expect(stopped).toBe(true);
    expect(stage.stored).toEqual([]);
    expect(await stage.view(id)).toMatchObject({ state: 'canceled', outputs: [] });
  });

  it('gives back the outputs that were stored when it was canceled at the last moment', async () => {
    const id = await stage.accepted({ personaId: null });
    stage.work = async () => {
      await stage.cancel.run(stage.actor, id);
      return [aPicture, aPicture];
    };
    await stage.run(id);
    expect(await stage.view(id)).toMatchObject({ state: 'canceled', outputs: [] });
    expect(stage.reclaimed).toEqual([101, 102]);
    expect(await stage.balance()).toEqual({ allocation: 100, used: 0 });
  });

  it('lets a run that was taken over write nothing, and give back what it stored', async () => {
    const id = await stage.accepted({ personaId: null });
    let wake = (): void => undefined;
    stage.work = (task) =>
      new Promise((resolve) => {
        if (stage.stored.length === 0 && task.generationId === id) wake = () => resolve([aPicture]);
      });
    const zombie = stage.run(id, { attempt: 1 });
    await sleep(20);
    stage.work = async () => [aPicture];
    await stage.run(id, { attempt: 2 });
    const after = await stage.view(id);
    wake();
    await zombie;
    expect(after.state).toBe('succeeded');
    expect(await stage.view(id)).toEqual(after);
    expect(stage.reclaimed).toEqual([102]);
    expect(await stage.balance()).toEqual({ allocation: 100, used: 4 });
  });

  it('says nothing of the failure of a run that was taken over', async () => {
    const id = await stage.accepted();
    stage.work = async () => {
      await stage.memory.claim(id, 2, stage.clock.now());
      throw new ProviderFailure('broken', { retryable: false });
    };
    await stage.run(id, { attempt: 1 });
    expect((await stage.view(id)).state).toBe('running');
  });

  it('stops with the worker and is left to another run', async () => {
    const id = await stage.accepted();
    const worker = new AbortController();
    stage.work = (_, { signal }) => untilAborted(signal);
    const run = stage.run(id, { signal: worker.signal });
    await sleep(20);
    worker.abort(new Error('stopping'));
    await expect(run).rejects.toThrow('stopping');
    expect(await stage.view(id)).toMatchObject({ state: 'running', error: null });
    expect(await stage.balance()).toEqual({ allocation: 100, used: 4 });

    stage.work = async () => [aPicture];
    await stage.run(id, { attempt: 2 });
    expect((await stage.view(id)).state).toBe('succeeded');
  });

  it('stores nothing that comes out after the worker was told to stop', async () => {
    const id = await stage.accepted();
    const worker = new AbortController();
    stage.work = async () => {
      worker.abort(new Error('stopping'));
      return [aPicture];
    };
    await expect(stage.run(id, { signal: worker.signal })).rejects.toThrow('stopping');
    expect(stage.stored).toEqual([]);
  });

  it('throws what it failed with, for the job to be tried again or given up', async () => {
    const id = await stage.accepted();
    const failure = new ProviderFailure('the vendor is busy', { retryable: true });
    stage.work = async () => {
      throw failure;
    };
    await expect(stage.run(id)).rejects.toBe(failure);
    expect((await stage.view(id)).state).toBe('running');
    expect(await stage.balance()).toEqual({ allocation: 100, used: 4 });
  });

  it('fails when the provider made nothing, so that nothing is charged for nothing', async () => {
    stage.work = async () => [];
    await expect(stage.run(await stage.accepted())).rejects.toMatchObject({ retryable: false });
  });

  it('says which input can not be used, and whether it may work later', async () => {
    stage.broken.set(`${STORE}1.png`, new SourceFailure('not_an_image', { retryable: false }));
    const failure = await stage.run(await stage.accepted()).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'not_an_image',
      message: 'the style reference is not a picture that can be read',
      retryable: false,
    });
  });

  it('fails where the persona was deleted: before it starts, and before the outputs are kept', async () => {
    const id = await stage.accepted();
    stage.work = async () => {
      stage.slots.delete(PERSONA);
      return [aPicture];
    };
    await expect(stage.run(id)).rejects.toMatchObject({ code: 'no_persona' });
    expect(stage.reclaimed).toEqual([101]);
    await expect(stage.run(id, { attempt: 2 })).rejects.toMatchObject({ code: 'no_persona' });
    expect(stage.stored).toHaveLength(1);
  });

  it('does nothing for a generation that is unknown', async () => {
    await expect(stage.run(987)).resolves.toBeUndefined();
  });
});
