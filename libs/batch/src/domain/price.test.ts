import { describe, expect, it } from '@jest/globals';
import { coveredBy, priceAfterRetry, priceOf } from './price.ts';

describe('the price of a batch', () => {
  it('is the sum of its cells', () => {
    expect(priceOf([4, 0, 7])).toBe(11);
  });

  it('after a retry has the retried cells at their costs of today', () => {
    expect(priceAfterRetry(11, [4], [5])).toBe(12);
    expect(priceAfterRetry(11, [4, 7], [0, 3])).toBe(3);
  });

  it.each([
    [0, 0],
    [3, 0],
    [4, 1],
    [8, 2],
    [9, 2],
    [13, 3],
    [99, 3],
  ])('is covered by %d credits for %d cells, in their order', (credits, covered) => {
    expect(coveredBy([4, 4, 5], credits)).toBe(covered);
  });

  it('of free cells is always covered', () => {
    expect(coveredBy([0, 0], 0)).toBe(2);
  });
});
