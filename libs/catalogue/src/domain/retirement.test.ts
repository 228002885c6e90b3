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
    expect(dueWarning(END, before(days))).toBe(days);
    expect(dueWarning(END, before(days, -1))).toBe(earlier);
  });

  it('not after the end', () => {
    expect(dueWarning(END, before(0, -1))).toBe(1);
    expect(dueWarning(END, END)).toBeNull();
  });
});

it('a warning names the model that will take the calls', () => {
  const models = [
    aModel({ id: 'old', retiresAt: END, successor: 'new' }),
    aModel({ id: 'lonely', retiresAt: END }),
    aModel({ id: 'new' }),
  ];
  const warnings = dueWarnings(new ModelCatalog(models), before(6));
  expect(warnings.map(({ model, days, successor }) => [model.id, days, successor?.id ?? null])).toEqual([
    ['old', 7, 'new'],
    ['lonely', 7, null],
  ]);
});
