import { expect, it } from '@jest/globals';
import { brushAt, brushPlace, firstBrush, largestBrush, nextBrush } from './tools.ts';

it('makes the brush a tenth larger or smaller, within the limits', () => {
  expect(nextBrush(100, 1, 3000)).toBe(110);
  expect(nextBrush(110, -1, 3000)).toBe(100);
  expect([nextBrush(1, -1, 3000), nextBrush(1, 1, 3000)]).toEqual([1, 2]);
  expect(nextBrush(995, 1, 3000)).toBe(1000);
});

it('puts small brushes on half of the slider', () => {
  expect([brushAt(0, 3000), brushAt(50, 3000), brushAt(100, 3000)]).toEqual([1, 32, 1000]);
  expect([brushPlace(1, 3000), brushPlace(32, 3000), brushPlace(1000, 3000)]).toEqual([0, 50, 100]);
});

it('begins with a brush that fits the picture', () => {
  expect([firstBrush(4096), firstBrush(64)]).toEqual([205, 4]);
  expect(largestBrush(10)).toBe(8);
});
