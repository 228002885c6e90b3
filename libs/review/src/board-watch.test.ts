import { beforeEach, describe, expect, it } from '@jest/globals';
import { BoardWatch } from './board-watch.ts';
import type { BoardListener } from './ports.ts';

/** Calls of a watch, in order. */
let calls: string[];
let listeners: Set<BoardListener>;
let versions: Map<number, number>;
let watch: BoardWatch;
beforeEach(() => {
  [calls, listeners, versions] = [[], new Set(), new Map([[1, 5]])];
  watch = new BoardWatch(
    {
      watchBoard: async (_boardId, listener) => {
        calls.push('subscribe');
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    {
      version: async (_workspaceId, boardId) => {
        calls.push('read');
        return versions.get(boardId) ?? null;
      },
      versions: async () => {
        calls.push('read all');
        return versions;
      },
    },
    { enter: () => () => calls.push('leave'), refresh: () => calls.push('refresh') },
  );
});

async function follow(known: number | null, boardId = 1) {
  const stop = new AbortController();
  const events = await watch.follow({ workspaceId: 1, userId: 1 }, boardId, known, stop.signal);
  return { stop, events: events[Symbol.asyncIterator]() };
}

describe('a followed board', () => {
  it('is read after the subscription, so that no change is missed between them', async () => {
    const { stop } = await follow(null);
    expect(calls).toEqual(['subscribe', 'read']);
    stop.abort();
  });

  it('is read at once after its signals were away, once for all streams, and so is who looks at it', async () => {
    const streams = [await follow(5), await follow(5)];
    calls = [];
    versions.set(1, 6);
    for (const listener of listeners) listener('missed');
    for (const { events } of streams) {
      expect((await events.next()).value).toEqual({ name: 'changed', version: 6 });
    }
    expect(calls).toEqual(['refresh', 'refresh', 'read all']);
    for (const { stop } of streams) stop.abort();
  });

  it('is left and its signals end with the stream, and when there is no such board', async () => {
    const { stop, events } = await follow(5);
    stop.abort();
    expect(await events.next()).toMatchObject({ done: true });
    expect([listeners.size, calls.at(-1)]).toEqual([0, 'leave']);
    await expect(follow(null, 2)).rejects.toMatchObject({ code: 'not_found' });
    expect(listeners.size).toBe(0);
  });
});
