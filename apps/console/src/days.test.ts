import { expect, it } from '@jest/globals';
import { monthName, weekAgo } from './days.ts';

it('a week ago begins with the day', () => {
  expect(weekAgo(new Date('2026-11-03T17:45:12Z'))).toBe('2026-10-27T00:00:00.000Z');
});

it('a month has its name in UTC', () => {
  expect(monthName('2025-12')).toBe('December 2025');
});
