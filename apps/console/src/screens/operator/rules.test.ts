import { expect, it } from '@jest/globals';
import { matching, sharesOf } from './rules.ts';

it('rows are found by a part of any of their texts, in any case', () => {
  const rows = ['Fox local', 'fal Flux', 'other'];
  const found = (q: string) => matching(rows, q, (row) => row.split(' '));
  expect([found(''), found(' FL '), found('l fl')]).toEqual([rows, ['fal Flux'], []]);
});

it('shares of states come in one order and without empty ones', () => {
  expect(sharesOf({ canceled: 1, queued: 0, failed: 1, succeeded: 2 })).toEqual([
    { state: 'succeeded', count: 2, share: 0.5 },
    { state: 'failed', count: 1, share: 0.25 },
    { state: 'canceled', count: 1, share: 0.25 },
  ]);
  expect(sharesOf({})).toEqual([]);
});
