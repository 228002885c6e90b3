import { expect, it } from '@jest/globals';
import { failuresAfter, firstTilesOf, lastOf } from './first-tiles.ts';

const some = (count: number, user_id: number, batch_id: number | null = null) =>
  Array.from({ length: count }, () => ({ user_id, batch_id }));
const countOf = (...args: Parameters<typeof firstTilesOf>) => {
  const { tiles, others } = firstTilesOf(...args);
  return [tiles.length, others];
};

it('own single generations have a tile each, up to 24; the rest is a number, and a batch is none of it', () => {
  expect(countOf([...some(24, 1), ...some(3, 2)], 1)).toEqual([24, 3]);
  expect(countOf(some(25, 1), 1)).toEqual([24, 1]);
  expect(countOf(some(60, 1, 7), 1)).toEqual([0, 0]);
});

it('failures are shown until they are dismissed, and those of a batch never', () => {
  const [old, last] = ['2026-11-29T10:00:00.000Z', '2026-11-29T10:00:00.001Z'].map((finished_at) => ({
    batch_id: null,
    finished_at,
  }));
  const cell = { batch_id: 7, finished_at: '2026-11-29T11:00:00.000Z' };
  expect(failuresAfter([cell, last!, old!], '')).toEqual([last, old]);
  expect(failuresAfter([cell, last!, old!], old!.finished_at)).toEqual([last]);
  expect(failuresAfter([cell, last!, old!], lastOf([last!, old!]))).toEqual([]);
});
