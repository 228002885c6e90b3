import { expect, it } from '@jest/globals';
import { isFull } from './storage-use.ts';

it.each([
  [0, 1, false],
  [9, 10, false],
  [10, 10, true],
  [11, 10, true],
  [0, 0, true],
  [10, null, false],
])('the storage of a workspace that uses %d of %s bytes: is full: %s', (used, quota, full) => {
  expect(isFull({ used, quota })).toBe(full);
});
