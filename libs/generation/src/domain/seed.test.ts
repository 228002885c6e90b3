import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Parameter } from '#catalogue';
import { aModel } from '#testing/catalogue';
import { isIdentifiedBySeed, seedOf } from './seed.ts';

describe('the seed', () => {
  const KEY = '0123456789ab-4cde-8f01-23456789abcd';
  const integer: Parameter = { type: 'integer' };
  const seeded = (seed: Parameter) => aModel({ parameters: { seed } });

  it('is the value of the call, also zero', () => {
    expect(seedOf(seeded(integer), { seed: 7 }, KEY)).toBe(7);
    expect(seedOf(seeded(integer), { seed: 0 }, KEY)).toBe(0);
  });

  it('is null for a model without a numeric seed', () => {
    expect(seedOf(aModel(), {}, KEY)).toBeNull();
    expect(seedOf(seeded({ type: 'string' }), { seed: 'x' }, KEY)).toBeNull();
  });

  it('else is within the limits of the model, and the same for the same request key', () => {
    const limits = fc.tuple(fc.integer(), fc.nat()).map(([minimum, range]) => ({ minimum, maximum: minimum + range }));
    const declared = fc.oneof(
      fc.constant({}),
      fc.nat().map((maximum) => ({ maximum })),
      limits,
    );
    fc.assert(
      fc.property(
        declared,
        fc.uuid({ version: 4 }),
        ({ minimum = 0, maximum = 2 ** 31 - 1 }: Partial<Parameter>, key) => {
          const model = seeded({ ...integer, minimum, maximum });
          const seed = seedOf(model, {}, key)!;
          expect(Number.isSafeInteger(seed)).toBe(true);
          expect(seed).toBeGreaterThanOrEqual(minimum);
          expect(seed).toBeLessThanOrEqual(maximum);
          expect(seedOf(model, {}, key)).toBe(seed);
        },
      ),
      { examples: [[{ minimum: -10, maximum: -1 }, KEY]] },
    );
  });

  it('identifies a submission unless the caller chose it, or others may have it by chance', () => {
    const among = (count: number, parameters = {}) =>
      isIdentifiedBySeed(seeded({ ...integer, minimum: 1, maximum: count }), parameters);
    expect([among(2 ** 24), among(2 ** 24 - 1), among(2 ** 24, { seed: 7 })]).toEqual([true, false, false]);
    expect([isIdentifiedBySeed(seeded(integer), {}), isIdentifiedBySeed(aModel(), {})]).toEqual([true, false]);
  });

  it('differs between request keys', () => {
    const keys = Array.from({ length: 100 }, () => crypto.randomUUID());
    expect(new Set(keys.map((key) => seedOf(seeded(integer), {}, key))).size).toBeGreaterThan(95);
  });
});
