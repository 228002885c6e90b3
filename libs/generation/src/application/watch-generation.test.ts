import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { InMemoryGenerations } from '../testing/in-memory-generations.ts';
import { aPicture, Stage } from '../testing/stage.ts';
import { WatchGeneration, type GenerationEvent } from './watch-generation.ts';

describe('watching a generation', () => {
  let stage: Stage;
  let id: number;
  beforeEach(async () => {
    stage = new Stage();
    id = await stage.accepted();
  });
  const open = new AbortController().signal;

  async function collect(events: AsyncIterable<GenerationEvent>): Promise<string[]> {
    const told: string[] = [];
    for await (const event of events) {
      told.push(
        event.name === 'done'
          ? `done ${event.generation.state}`
          : `${event.name} ${event.change.state} ${event.change.progress}`,
      );
    }
    return told;
  }

  it('tells the state at first, each change, and at last how it ended', async () => {
    const told = collect(await stage.watch.run(stage.actor, id, open));
    await sleep(5);
    stage.work = async (_, watch) => {
      watch.progress(0.5);
      await sleep(700);
      return [aPicture];
    };
    await stage.run(id);
    expect(await told).toEqual([
      'state queued 0',
      'state running 0',
      'progress running 0.5',
      'state succeeded 1',
      'done succeeded',
    ]);
  });

  it('tells what has ended already, and ends', async () => {
    await stage.cancel.run(stage.actor, id);
    expect(await collect(await stage.watch.run(stage.actor, id, open))).toEqual([
      'state canceled 0',
      'done canceled',
    ]);
  });

  it('tells a slow watcher only the newest, and the end for certain', async () => {
    const events = (await stage.watch.run(stage.actor, id, open))[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ change: { state: 'queued' } });
    const running = (await stage.memory.claim(id, 1, stage.clock.now()))!;
    for (const fraction of [0.1, 0.2, 0.3]) await stage.memory.progress(running, fraction);
    expect((await events.next()).value).toMatchObject({ change: { state: 'running', progress: 0.3 } });
    await stage.memory.progress(running, 0.4);
    await stage.cancel.run(stage.actor, id);
    expect((await events.next()).value).toMatchObject({ name: 'state', change: { state: 'canceled' } });
    expect((await events.next()).value).toMatchObject({ name: 'done' });
    expect((await events.next()).done).toBe(true);
  });

  it('reads again when changes may have been missed', async () => {
    let tell: (change: 'missed') => void = () => undefined;
    const memory = new InMemoryGenerations();
    const { request } = (await stage.memory.hold(id))!;
    const queued = await memory.add(request);
    const signals = {
      watch: async (_: number, listener: (change: 'missed') => void) => {
        tell = listener;
        return () => undefined;
      },
    };
    const watching = await new WatchGeneration(signals, memory).run(stage.actor, queued.id, open);
    const told = collect(watching);
    await memory.claim(queued.id, 1, stage.clock.now());
    tell('missed');
    await sleep(5);
    tell('missed');
    await sleep(5);
    const running = (await memory.hold(queued.id))!;
    await memory.save({ ...running, state: 'canceled', startedAt: null, finishedAt: stage.clock.now() });
    tell('missed');
    expect(await told).toEqual(['state queued 0', 'state running 0', 'state canceled 0', 'done canceled']);
  });

  it('ends without a word when the watcher goes, waiting or not', async () => {
    for (const early of [true, false]) {
      const watcher = new AbortController();
      if (early) watcher.abort();
      const told = collect(await stage.watch.run(stage.actor, id, watcher.signal));
      await sleep(5);
      watcher.abort();
      expect(await told).toEqual(['state queued 0']);
    }
  });

  it('finds nothing in other workspaces', async () => {
    await expect(stage.watch.run({ workspaceId: 2 }, id, open)).rejects.toMatchObject({ code: 'not_found' });
  });
});
