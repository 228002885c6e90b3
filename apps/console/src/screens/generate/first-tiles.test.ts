import { expect, it } from '@jest/globals';
import { firstTilesOf } from './first-tiles.ts';

const some = (count: number, state: 'queued' | 'running', batch_id: number | null) =>
  Array.from({ length: count }, () => ({ state, batch_id }));
const countOf = (...args: Parameters<typeof firstTilesOf>) => {
  const { underWay, waiting, failed, failedTogether } = firstTilesOf(...args);
  return [underWay.length, waiting, failed.length, failedTogether.length];
};

it('the cells of a batch that wait are a number, those that run a few tiles', () => {
  expect(countOf(some(60, 'queued', 1), [])).toEqual([0, 60, 0, 0]);
  expect(countOf([...some(20, 'queued', 1), ...some(4, 'running', 1)], [])).toEqual([4, 20, 0, 0]);
  expect(countOf([...some(20, 'queued', 1), ...some(5, 'running', 1)], [])).toEqual([4, 21, 0, 0]);
});

it('single generations have a tile each, up to 24, in their order among those of a batch', () => {
  const [single] = some(1, 'queued', null);
  const [cell] = some(1, 'running', 1);
  expect(firstTilesOf([cell!, single!, ...some(3, 'queued', 1)], []).underWay).toEqual([cell, single]);
  expect(countOf(some(25, 'queued', null), [])).toEqual([24, 1, 0, 0]);
});

it('two failures have a tile each, three are a number', () => {
  expect(countOf([], [1, 2])).toEqual([0, 0, 2, 0]);
  expect(countOf([], [1, 2, 3])).toEqual([0, 0, 0, 3]);
});
