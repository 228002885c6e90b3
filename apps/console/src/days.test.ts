import { expect, it } from '@jest/globals';
import { weekAgo } from './days.ts';

it('a week ago begins with the day', () => {
  expect(weekAgo(new Date('2026-11-03T17:45:12Z'))).toBe('2026-10-27T00:00:00.000Z');
});
