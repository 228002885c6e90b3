import { describe, expect, it } from '@jest/globals';
import { layOut } from './columns.ts';
import { gapAt, inPlace, placedAt, placedBy } from './order.ts';

const order = [9, 7, 5, 3, 1];

describe('an order by hand', () => {
  it.each([
    ['before the first', [5], 0, [5, 9, 7, 3, 1]],
    ['after the last', [9, 5], 5, [7, 3, 1, 9, 5]],
    ['at a moved item', [7, 1], 2, [9, 7, 1, 5, 3]],
  ])('puts items %s', (_, ids, at, result) => {
    expect(inPlace(order, placedAt(order, new Set(ids), at))).toEqual(result);
  });

  it.each([
    ['later', [7], 1, [9, 5, 7, 3, 1]],
    ['earlier, and together', [5, 1], -1, [9, 5, 1, 7, 3]],
    ['no further than the first', [9], -1, order],
    ['no further than the last', [3, 1], 1, order],
  ] as const)('moves items %s', (_, ids, step, result) => {
    expect(inPlace(order, placedBy(order, new Set(ids), step))).toEqual(result);
  });
});

it.each([
  [
    { x: 10, y: 10 },
    { index: 0, isAfter: false },
  ],
  [
    { x: 104, y: 10 },
    { index: 0, isAfter: true },
  ],
  [
    { x: 109, y: 10 },
    { index: 1, isAfter: false },
  ],
  [
    { x: 400, y: 900 },
    { index: 2, isAfter: true },
  ],
])('the gap nearest to %j is %j', (point, gap) => {
  expect(gapAt(layOut([1, 1, 1], { width: 210, gap: 10, column: 100 }), point)).toEqual(gap);
});
