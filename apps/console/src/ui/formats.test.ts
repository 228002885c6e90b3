import { describe, expect, it } from '@jest/globals';
import { bytes, relativeTime } from './formats.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_540_000, '1.5 MB'],
  [123_456_789, '123 MB'],
  [2_147_483_648, '2.1 GB'],
])('a size of %d bytes reads %s', (size, shown) => expect(bytes(size)).toBe(shown));

describe('a time', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  it.each([
    ['2026-11-22T11:59:30Z', 'just now'],
    ['2026-11-22T12:00:30Z', 'in a moment'],
    ['2026-11-22T11:55:00Z', '5 minutes ago'],
    ['2026-11-22T09:00:00Z', '3 hours ago'],
    ['2026-11-21T12:00:00Z', 'yesterday'],
    ['2026-11-25T12:00:00Z', 'in 3 days'],
    ['2026-11-01T12:00:00Z', 'Nov 1'],
    ['2025-11-01T12:00:00Z', 'Nov 1, 2025'],
  ])('at %s reads "%s" at noon of November 22', (at, shown) => {
    expect(relativeTime(new Date(at), now)).toBe(shown);
  });
});
