import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as tick } from 'node:timers/promises';
import { notFound } from '#kernel';
import type { ChangeListener, GenerationView } from './ports.ts';
import { GenerationWatch, type GenerationEvent } from './watch.ts';

const actor = { workspaceId: 1 };
const open = new AbortController().signal;

/** One generation, whose signals and view the test controls. */
describe('watching a generation', () => {
  let view: Pick<GenerationView, 'state' | 'progress'>;
  let listeners: Set<ChangeListener>;
  let watch: GenerationWatch;
  beforeEach(() => {
    view = { state: 'queued', progress: 0 };
    listeners = new Set();
    const signals = {
      watch: async (_: number, listener: ChangeListener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const get = async (workspaceId: number): Promise<GenerationView> => {
      if (workspaceId !== actor.workspaceId) throw notFound('generation');
      return view as GenerationView;
    };
    watch = new GenerationWatch(signals, { get });
  });

  const change = (state: GenerationView['state'], progress: number, missed = false): void => {
    view = { state, progress };
    for (const listener of listeners) listener(missed ? 'missed' : view);
  };

  const textOf = (event: GenerationEvent): string => {
    const { state, progress } = event.name === 'done' ? event.generation : event.change;
    return `${event.name} ${state} ${progress}`;
  };

  async function collect(events: AsyncIterable<GenerationEvent>): Promise<string[]> {
    const texts: string[] = [];
    for await (const event of events) texts.push(textOf(event));
    return texts;
  }

  it.each([false, true])(
    'gives the state first, each change, and last how it ended (read again: %p)',
    async (missed) => {
      const events = collect(await watch.follow(actor, 1, open));
      for (const [state, progress] of [
        ['running', 0],
        ['running', 0.5],
        ['running', 0.5],
        ['succeeded', 1],
      ] as const) {
        await tick();
        change(state, progress, missed);
      }
      expect(await events).toEqual([
        'state queued 0',
        'state running 0',
        'progress running 0.5',
        'state succeeded 1',
        'done succeeded 1',
      ]);
    },
  );

  it('reports the end of a generation that ended earlier', async () => {
    view = { state: 'canceled', progress: 0.5 };
    expect(await collect(await watch.follow(actor, 1, open))).toEqual(['state canceled 0.5', 'done canceled 0.5']);
  });

  it('gives a slow watcher only the newest change, and the end always', async () => {
    const events = (await watch.follow(actor, 1, open))[Symbol.asyncIterator]();
    const next = async (): Promise<string> => textOf((await events.next()).value as GenerationEvent);
    expect(await next()).toBe('state queued 0');
    for (const fraction of [0, 0.1, 0.3]) change('running', fraction);
    expect(await next()).toBe('state running 0.3');
    change('running', 0.4);
    change('canceled', 0.4);
    expect(await next()).toBe('state canceled 0.4');
    expect(await next()).toBe('done canceled 0.4');
    expect((await events.next()).done).toBe(true);
  });

  it.each([true, false])('ends without done and stops listening when the watcher leaves (early: %p)', async (early) => {
    const watcher = new AbortController();
    if (early) watcher.abort();
    const events = collect(await watch.follow(actor, 1, watcher.signal));
    await tick();
    watcher.abort();
    expect(await events).toEqual(['state queued 0']);
    expect(listeners.size).toBe(0);
  });

  it('finds nothing in other workspaces, and stops listening', async () => {
    const foreign = watch.follow({ workspaceId: 2 }, 1, open);
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    expect(listeners.size).toBe(0);
  });
});
