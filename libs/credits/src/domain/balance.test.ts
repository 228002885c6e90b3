import { expect, it } from '@jest/globals';
import { available, usagePercentage } from './balance.ts';

it.each([
  // allocation, used, percentage, available
  [20_000, 0, 0, 20_000],
  [20_000, 1, 0.01, 19_999],
  [20_000, 1250, 6.25, 18_750],
  [3, 1, 33.33, 2],
  [3, 2, 66.67, 1],
  [7, 4, 57.14, 3],
  [100, 100, 100, 0],
  [100, 250, 100, 0],
  [0, 0, 0, 0],
  [0, 5, 100, 0],
])('a balance of %d credits with %d used is %d %% used and has %d left', (allocation, used, percentage, left) => {
  expect(usagePercentage({ allocation, used })).toBe(percentage);
  expect(available({ allocation, used })).toBe(left);
});
