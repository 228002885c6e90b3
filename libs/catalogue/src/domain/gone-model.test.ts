import { describe, expect, it } from '@jest/globals';
import { afterRefusal, type VendorDoubt } from './gone-model.ts';

const START = new Date('2026-11-28T12:00:00Z').getTime();
const HOUR = 3_600_000;

/** Since how many milliseconds after the start a model is gone, after refusals of users at such times. */
const goneAfter = (...calls: readonly (readonly [userId: number, ms: number])[]) => {
  const doubt = calls.reduce<VendorDoubt>(
    (before, [userId, ms]) => afterRefusal(before, { userId, at: new Date(START + ms) }),
    { refusals: [], goneSince: null },
  );
  return doubt.goneSince && doubt.goneSince.getTime() - START;
};
const five = [0, 1, 2, 3, 4];

describe('a model is gone', () => {
  it('at the fifth refusal within an hour, of at least two callers', () => {
    expect(goneAfter(...five.map((ms) => [ms % 2, ms] as const))).toBe(4);
    expect(goneAfter([1, 0], [1, 1], [1, 2], [1, 3], [2, HOUR])).toBe(HOUR);
    expect(goneAfter([1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5], [2, 6])).toBe(6);
  });

  it.each<[string, (readonly [number, number])[]]>([
    ['by four', five.slice(1).map((ms) => [ms % 2, ms] as const)],
    ['by one caller', [...five, 5, 6, 7].map((ms) => [1, ms] as const)],
    ['by five in more than an hour', [...five.slice(0, 4).map((ms) => [1, ms] as const), [2, HOUR + 1]]],
  ])('not %s', (_, calls) => expect(goneAfter(...calls)).toBeNull());

  it('since it was found, whatever is refused later', () => {
    expect(goneAfter(...[...five, 5, 6].map((ms) => [ms % 2, ms] as const))).toBe(4);
  });
});
