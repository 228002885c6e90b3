import { describe, expect, it } from '@jest/globals';
import type { UsageDto } from '../../api/index.ts';
import { perDay } from './formats.ts';
import { addMonths, barsOf, daysAround, daysOf, monthFrom, sumBy, ticksUpTo } from './usage.ts';

const now = new Date('2026-11-22T23:30:00Z');
const used = (day: string, model: string, credits: number, reserved = 0): UsageDto => {
  return { day, model, user_id: null, email: null, customer: null, used: credits, reserved, generations: 1 };
};

describe('the month of an address', () => {
  it.each([
    ['2026-10', '2026-10'],
    ['2026-11', '2026-11'],
    ['2026-12', '2026-11'],
    ['', '2026-11'],
    ['2026-13', '2026-11'],
    ['1999-01', '2026-11'],
    ['2026-1', '2026-11'],
  ])('%j is %s', (text, month) => expect(monthFrom(text, now)).toBe(month));

  it('continues over the end of a year', () => {
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1), addMonths('2026-05', -12)]).toEqual([
      '2027-01',
      '2025-12',
      '2025-05',
    ]);
  });

  it('has as many days as the calendar; the remaining days include today', () => {
    expect([daysOf('2026-02').length, daysOf('2028-02').length, daysOf('2026-11').at(-1)]).toEqual([
      28,
      29,
      '2026-11-30',
    ]);
    expect(daysAround(now)).toEqual({ day: 22, left: 9 });
  });
});

describe('usage', () => {
  const usage = [
    used('2026-11-01', 'a', 4, 1),
    used('2026-11-01', 'b', 9),
    used('2026-11-03', 'a', 2),
    used('2026-11-04', 'c', 0),
  ];

  it('is summed by model, most first', () => {
    expect(sumBy(usage, 'model')).toEqual([
      { name: 'b', used: 9, reserved: 0, generations: 1 },
      { name: 'a', used: 6, reserved: 1, generations: 2 },
      { name: 'c', used: 0, reserved: 0, generations: 1 },
    ]);
  });

  it('has a bar for each day, with a part for each model', () => {
    const { series, bars } = barsOf(usage, '2026-11');
    expect(series).toEqual([
      { model: 'b', used: 9 },
      { model: 'a', used: 6 },
    ]);
    expect(bars).toHaveLength(30);
    expect(bars.slice(0, 3)).toEqual([
      { day: '2026-11-01', used: 13, parts: [9, 4] },
      { day: '2026-11-02', used: 0, parts: [0, 0] },
      { day: '2026-11-03', used: 2, parts: [0, 2] },
    ]);
  });

  it('puts the models beyond five together when there are more than six', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => used('2026-11-01', `m${at}`, 10 - at));
    expect(barsOf(many(6), '2026-11').series).toHaveLength(6);
    const { series, bars } = barsOf(many(7), '2026-11');
    expect(series.map(({ model }) => model)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', null]);
    expect(bars[0]!.parts).toEqual([10, 9, 8, 7, 6, 9]);
  });
});

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [340, [0, 100, 200, 300, 400]],
  [20_000, [0, 5000, 10_000, 15_000, 20_000]],
])('a chart up to %d has lines at %j', (most, ticks) => expect(ticksUpTo(most)).toEqual(ticks));

it.each([
  [0, '0'],
  [0.031, '0.031'],
  [0.2, '0.2'],
  [4.55, '4.6'],
  [9.99, '10'],
  [12.6, '13'],
  [4200, '4,200'],
])('%d credits a day read %s', (credits, shown) => expect(perDay(credits)).toBe(shown));
