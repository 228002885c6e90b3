import { describe, expect, it } from '@jest/globals';
import { daysLeftInMonth, monthOf, pastMonth, periodOf } from './month.ts';

const at = (text: string) => new Date(text);

describe('a month', () => {
  it('is the calendar month in UTC, up to its last millisecond', () => {
    expect(monthOf(at('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
    expect(monthOf(at('2026-12-01T00:00:00Z'))).toBe('2026-12');
    expect(monthOf(at('2026-12-01T00:30:00+01:00'))).toBe('2026-11');
  });

  it.each([
    ['2026-11', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ] as const)('%s lasts from %s until before %s', (month, startAt, endAt) => {
    expect(periodOf(month)).toEqual({ startAt: at(startAt), endAt: at(endAt) });
  });

  it.each([
    ['2026-11-01T00:00:00.000Z', 30],
    ['2026-11-01T00:00:00.001Z', 30],
    ['2026-11-29T23:59:59.999Z', 2],
    ['2026-11-30T00:00:00.000Z', 1],
    ['2026-11-30T23:59:59.999Z', 1],
    ['2026-12-01T00:00:00.000Z', 31],
    ['2027-02-28T12:00:00.000Z', 1],
    ['2028-02-28T12:00:00.000Z', 2],
  ])('at %s has %d days left, today included', (time, days) => {
    expect(daysLeftInMonth(at(time))).toBe(days);
  });
});

describe('a requested month', () => {
  const now = at('2026-11-21T07:30:00Z');

  it.each(['2026-11', '2026-10', '2025-12', '2000-01'])('may be %s in November 2026', (text) => {
    expect(pastMonth(text, now)).toBe(text);
  });

  it.each(['2026-12', '2027-01', '2999-12', '2026-13', '2026-00', '2026-1', '26-10', '1999-12', '2026-10-01', ''])(
    'may not be %j',
    (text) => {
      expect(() => pastMonth(text, now)).toThrow(
        expect.objectContaining({
          code: 'validation_failed',
          fields: { month: ['must be a month that has begun, such as 2026-10'] },
        }),
      );
    },
  );
});
