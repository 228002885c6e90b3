import { describe, expect, it } from '@jest/globals';
import { aModel } from '../testing/builders.ts';
import { ModelCatalog } from './model.ts';
import { dueWarning, dueWarnings } from './retirement.ts';

const END = new Date('2026-12-01T00:00:00Z');
const before = (days: number, ms = 0) => new Date(END.getTime() - days * 86_400_000 + ms);

describe('people are warned 60, 30, 7 and 1 days before the end of a model', () => {
  it.each([
    [60, null],
    [30, 60],
    [7, 30],
    [1, 7],
  ] as const)('at %i days, not a moment earlier', (days, earlier) => {
    expect(dueWarning(END, before(days), null)).toBe(days);
    expect(dueWarning(END, before(days, -1), null)).toBe(earlier);
  });

  it('once for each of these', () => {
    expect(dueWarning(END, before(29), before(30, -1))).toBe(30);
    expect(dueWarning(END, before(29), before(30))).toBeNull();
    expect(dueWarning(END, before(7), before(30))).toBe(7);
  });

  it('not after the end', () => {
    expect(dueWarning(END, before(0, -1), null)).toBe(1);
    expect(dueWarning(END, END, null)).toBeNull();
  });

  it('again when the end is put off', () => {
    const later = new Date('2027-03-01T00:00:00Z');
    expect(dueWarning(later, END, before(1))).toBeNull();
    expect(dueWarning(later, new Date('2026-12-31T00:00:00Z'), before(1))).toBe(60);
  });
});

it('a warning names the model that will take the calls', () => {
  const models = [
    aModel({ id: 'old', retiresAt: END, successor: 'new' }),
    aModel({ id: 'lonely', retiresAt: END }),
    aModel({ id: 'warned', retiresAt: END }),
    aModel({ id: 'new' }),
  ];
  const warnings = dueWarnings(new ModelCatalog(models), before(6), new Map([['warned', before(7)]]));
  expect(warnings.map(({ model, days, successor }) => [model.id, days, successor?.id ?? null])).toEqual([
    ['old', 7, 'new'],
    ['lonely', 7, null],
  ]);
});
