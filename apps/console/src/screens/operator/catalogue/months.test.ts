import { expect, it } from '@jest/globals';
import { newestMonths } from './months.ts';

it('the months go back over the turn of the year', () => {
  const months = newestMonths(new Date('2026-01-31T23:59:59Z'));
  expect([months.length, ...months.slice(0, 2)]).toEqual([24, '2026-01', '2025-12']);
});
