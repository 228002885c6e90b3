import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Look, Onlooker } from './ports.ts';
import { Presence, TICK_MS } from './presence.ts';

/** The looks of this process, as the other processes see them. */
let saved: readonly Look[];
let replacements: number;
let failure: Error | null;
let beforeReplaced: (() => void) | undefined;
let reported: unknown[];
let presence: Presence;
beforeEach(() => {
  [saved, replacements, failure, reported, beforeReplaced] = [[], 0, null, [], undefined];
  presence = new Presence(
    {
      async replace(_process, _boardIds, looks) {
        if (failure) throw failure;
        beforeReplaced?.();
        replacements++;
        saved = looks;
      },
      people: async () => new Map([[1, saved.map(({ userId }) => ({ userId, name: null }))]]),
      forget: async () => undefined,
    },
    'a process',
    (error) => reported.push(error),
  );
});

let seen: number[];
const enter = (userId: number) =>
  presence.enter({ boardId: 1, userId }, (people: readonly Onlooker[]) => (seen = people.map((each) => each.userId)));
const settled = () => new Promise(setImmediate);

describe('who looks at a board', () => {
  it('is confirmed every 15 seconds', async () => {
    enter(7);
    await settled();
    replacements = 0;
    const confirmed: number[] = [];
    for (let tick = 0; tick < 7; tick++) {
      const before = replacements;
      await presence.tick();
      if (replacements > before) confirmed.push(tick * TICK_MS);
    }
    expect(confirmed).toEqual([0, 15_000, 30_000]);
    expect(saved).toEqual([{ boardId: 1, userId: 7 }]);
  });

  it('is saved and read again after a failure, those who came and left meanwhile too', async () => {
    const leave = enter(7);
    // The tick that confirms; the next one does not.
    await presence.tick();
    failure = new Error('the database is away');
    leave();
    enter(8);
    await settled();
    expect([saved.map(({ userId }) => userId), reported.length > 0]).toEqual([[7], true]);
    failure = null;
    await presence.tick();
    expect([saved.map(({ userId }) => userId), seen]).toEqual([[8], [8]]);
  });

  it('is never without the person who is told', async () => {
    enter(7);
    await settled();
    const told: number[][] = [];
    const tell = (people: readonly Onlooker[]) => told.push(people.map(({ userId }) => userId));
    const leave = presence.enter({ boardId: 1, userId: 8 }, tell);
    await settled();
    expect(told).toEqual([[7, 8]]);
    // Back before it is saved that they left.
    leave();
    presence.enter({ boardId: 1, userId: 8 }, tell);
    await settled();
    expect(told).toEqual([
      [7, 8],
      [7, 8],
    ]);
  });

  it('is not told from before somebody came', async () => {
    const leave = enter(7);
    await settled();
    leave();
    const told: number[][] = [];
    // While it is saved that the last one has left.
    beforeReplaced = () => {
      beforeReplaced = undefined;
      presence.enter({ boardId: 1, userId: 8 }, (people) => told.push(people.map(({ userId }) => userId)));
    };
    await settled();
    expect(told).toEqual([[8]]);
  });

  it('is nobody of a process that stops', async () => {
    enter(7);
    await settled();
    await presence.close();
    expect(saved).toEqual([]);
  });
});
