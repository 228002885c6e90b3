import { describe, expect, it } from '@jest/globals';
import { allOf, extended, keptIn, NOTHING, toggled } from './selection.ts';

const order = [9, 7, 5, 3, 1];
const idsOf = ({ ids }: typeof NOTHING) => [...ids];

describe('a selection', () => {
  it('takes and leaves single media', () => {
    const one = toggled(toggled(NOTHING, 7), 3);
    expect(idsOf(one)).toEqual([7, 3]);
    expect(idsOf(toggled(one, 7))).toEqual([3]);
  });

  it('reaches from the last choice to another one, in both directions, and keeps what was chosen', () => {
    const chosen = toggled(toggled(NOTHING, 1), 7);
    expect(idsOf(extended(chosen, 3, order))).toEqual([1, 7, 5, 3]);
    expect(idsOf(extended(chosen, 9, order))).toEqual([1, 7, 9]);
    expect(idsOf(extended(NOTHING, 5, order))).toEqual([5]);
  });

  it('takes all, and loses what is not shown any more', () => {
    const all = allOf(order);
    expect(idsOf(keptIn(all, [9, 1]))).toEqual([9, 1]);
    expect(keptIn(all, order)).toBe(all);
  });
});
