import { describe, expect, it } from '@jest/globals';
import { allOf, extended, keptIn, NOTHING, toggled } from './selection.ts';

const order = [9, 7, 5, 3, 1];
const idsOf = ({ ids }: typeof NOTHING) => [...ids];

describe('a selection', () => {
  it('toggles single items', () => {
    const one = toggled(toggled(NOTHING, 7), 3);
    expect(idsOf(one)).toEqual([7, 3]);
    expect(idsOf(toggled(one, 7))).toEqual([3]);
  });

  it('extends from the last selected item in both directions, and keeps other selected items', () => {
    const chosen = toggled(toggled(NOTHING, 1), 7);
    expect(idsOf(extended(chosen, 3, order))).toEqual([1, 7, 5, 3]);
    expect(idsOf(extended(chosen, 9, order))).toEqual([1, 7, 9]);
    expect(idsOf(extended(NOTHING, 5, order))).toEqual([5]);
  });

  it('selects all, and loses items that are no longer shown', () => {
    const all = allOf(order);
    expect(idsOf(keptIn(all, new Set([9, 1])))).toEqual([9, 1]);
    expect(keptIn(all, new Set(order))).toBe(all);
  });
});
