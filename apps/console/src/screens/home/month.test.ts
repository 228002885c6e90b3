import { expect, it } from '@jest/globals';
import { daysLeft } from './month.ts';

it.each([
  ['2026-11-01T00:00:00Z', 30],
  ['2026-11-30T23:59:59Z', 1],
  ['2026-12-31T00:00:00Z', 1],
  ['2028-02-28T12:00:00Z', 2],
])('the days left in a month at %s are %d, with today', (now, days) => expect(daysLeft(new Date(now))).toBe(days));
