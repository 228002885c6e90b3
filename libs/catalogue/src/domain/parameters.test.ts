import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refusal } from '#testing/kernel';
import { aModel } from '../testing/builders.ts';
import type { Cost, Parameter } from './model.ts';
import {
  chargeOf,
  costOf,
  expectationOf,
  isAboveZero,
  parametersSchema,
  parameterValues,
  type ParameterProblems,
  type ParameterValues,
} from './parameters.ts';

const model = aModel({
  parameters: {
    seed: { type: 'integer', minimum: 0, maximum: 100 },
    count: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
    strength: { type: 'number', minimum: 0, maximum: 1, default: 0.8 },
    title: { type: 'string', maxLength: 5 },
    style: { type: 'string' },
    tile: { type: 'boolean', default: false },
    area: { type: 'object' },
    colours: { type: 'array' },
  },
});
const defaults = { count: 1, strength: 0.8, tile: false };
const nothingWrong = () => ({});
const read = (fields: Record<string, unknown>) => parameterValues(model, fields, nothingWrong);

const problems = (fields: Record<string, unknown>, checked: ParameterProblems = {}) =>
  refusal(() => parameterValues(model, fields, () => checked));

/** JSON text of so many bytes. */
const listOf = (bytes: number) => `["${'x'.repeat(bytes - 4)}"]`;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('parameter values', () => {
  it('are the defaults where nothing is sent', () => {
    expect(read({})).toEqual(defaults);
  });

  it.each(['', 'null', null, undefined])('treat %p as nothing sent', (nothing) => {
    expect(read({ seed: nothing, strength: nothing, title: nothing, tile: nothing, area: nothing })).toEqual(defaults);
  });

  it('are the same from forms and from JSON', () => {
    const more = { area: { left: 1, of: [2] }, colours: ['red', 7] };
    const form = { seed: '7', count: '2', strength: '0.5', title: 'Noon', tile: 'true' };
    const json = { seed: 7, count: 2, strength: 0.5, title: 'Noon', tile: true, ...more };
    const texts = { area: JSON.stringify(more.area), colours: JSON.stringify(more.colours) };
    expect(read({ ...form, ...texts })).toEqual(json);
    expect(read(json)).toEqual(json);
  });

  it('omit fields that the model does not declare', () => {
    expect(read({ colour: 'red', constructor: 'x', __proto__: { seed: 1 } })).toEqual(defaults);
  });

  it.each<[string, string, unknown[]]>([
    ['seed', 'an integer from 0 to 100', ['1.5', '1e1', ' 7', '0x10', 'seven', true, [7], {}, '9'.repeat(400), NaN]],
    ['seed', 'an integer from 0 to 100', [1.5, '9007199254740992', Infinity]],
    ['strength', 'a number from 0 to 1', ['.5', '1.', '1e0', 'Infinity', Infinity, [1]]],
    ['title', 'a text of at most 5 characters', [5, true, ['a']]],
    ['tile', 'true or false', ['yes', '2', 2, 'TRUE']],
    ['area', 'an object as JSON, of at most 64 KiB', ['{', '{"a":"\\u0000"}', '{"\\ud800":1}', nested(33)]],
    ['colours', 'a list as JSON, of at most 64 KiB', ['red', listOf(65_537), nested(33), nested(100_000)]],
  ])('refuse as %s what is not %s', (name, rule, values) => {
    for (const value of values) expect(problems({ [name]: value }).fields).toEqual({ [name]: [`must be ${rule}`] });
  });

  it('take lists up to their limits, and 1 as true', () => {
    for (const colours of [listOf(65_536), nested(32)]) expect(read({ colours }).colours).toEqual(JSON.parse(colours));
    for (const tile of ['1', 1]) expect(read({ tile }).tile).toBe(true);
  });

  it('take a text without a declared limit up to 65,536 units, and refuse a longer one by its length alone', () => {
    const style = 'x'.repeat(65_536);
    expect(read({ style }).style).toBe(style);
    const marks = '\u0301\u0323'.repeat(300_000);
    for (const name of ['title', 'style', 'area', 'colours', 'seed', 'strength']) {
      const before = process.threadCpuUsage();
      expect(problems({ [name]: name === 'style' ? `${style}x` : marks }).fields).toHaveProperty(name);
      expect(process.threadCpuUsage(before).user).toBeLessThan(50_000);
    }
    expect(problems({ style: `${style}x` }).message).toBe('style must be a text of at most 65536 characters');
  });

  it('name every field that cannot be read or that the check refuses, in the order of the model', () => {
    const { fields, message } = problems(
      { tile: 'maybe', seed: 'x', count: 9 },
      { count: ['must be small', 'and even'] },
    );
    expect(Object.keys(fields!)).toEqual(['seed', 'count', 'tile']);
    expect(message).toBe(
      'seed must be an integer from 0 to 100; count must be small and and even; tile must be true or false',
    );
  });
});

it.each<[Parameter, string]>([
  [{ type: 'integer' }, 'an integer'],
  [{ type: 'integer', minimum: 1 }, 'an integer of at least 1'],
  [{ type: 'integer', minimum: 256, maximum: 1024, multipleOf: 64 }, 'an integer from 256 to 1024 in steps of 64'],
  [{ type: 'number', maximum: 2.5 }, 'a number of at most 2.5'],
  [{ type: 'integer', enum: [2, 4, 8] }, 'one of 2, 4, 8'],
  [{ type: 'string', enum: ['16:9', '1:1'] }, 'one of 16:9, 1:1'],
  [{ type: 'string' }, 'a text'],
  [{ type: 'string', minLength: 2 }, 'a text of at least 2 characters'],
  [{ type: 'string', minLength: 2, maxLength: 4 }, 'a text of 2 to 4 characters'],
  [{ type: 'string', pattern: '^#[0-9a-f]{6}$' }, 'a text that matches ^#[0-9a-f]{6}$'],
  [{ type: 'string', format: 'date' }, 'a text in the format date'],
])('a parameter declared as %j must be %s', (parameter, expectation) => {
  expect(expectationOf(parameter)).toBe(expectation);
});

describe('the cost of a call', () => {
  const byHd = { credits: { 2: 3, 4: 6.5 }, parameter: 'hd', per: 'output' } as const;
  const perSecond = { credits: 0.5, parameter: null, per: 'second' } as const;

  it.each([
    ['once without a count', 5, {}, 5],
    ['for each output', 4, { count: 3 }, 12],
    ['by the value of a parameter', byHd, { hd: 2 }, 3],
    ['by the value as text, for each output, rounded up', byHd, { hd: '4', count: 3 }, 20],
    ['for each second, rounded up', perSecond, { duration: 5, count: 9 }, 3],
    ['of a part of a second, rounded up', perSecond, { duration: 0.1 }, 1],
    ['without the error of binary fractions', 0.07, { count: 100 }, 7],
    ['one credit at least, however short', perSecond, { duration: 0.0000001 }, 1],
    ['one credit at least, for no time and for less', perSecond, { duration: 0 }, 1],
    ['one credit at least, for a negative count', 4, { count: -3 }, 1],
    ['that of the dearest choice, for a value without an amount', byHd, { hd: 8 }, 7],
    ['nothing', 0, { count: 4 }, 0],
    ['nothing for a choice that is free', { ...byHd, credits: { 2: 0, 4: 1 } }, { hd: 2, count: 3 }, 0],
  ] as const)('is %s', (_how, cost, values, credits) => {
    const all = typeof cost === 'number' ? ({ credits: cost, parameter: null, per: 'output' } as const) : cost;
    expect(costOf(aModel({ cost: all }), values)).toBe(credits);
  });
});

describe('the charge for a call', () => {
  const byHd = { credits: { 2: 3, 4: 6.5 }, parameter: 'hd', per: 'output' } as const;
  const perSecond = { credits: 2, parameter: null, per: 'second' } as const;
  const chargeFor = (price: number | Cost, parameters: ParameterValues, made: number, reserved?: number) => {
    const model = aModel({
      cost: typeof price === 'number' ? { credits: price, parameter: null, per: 'output' } : price,
    });
    return chargeOf(model, { cost: reserved ?? costOf(model, parameters), parameters }, made);
  };

  it.each<[string, number | Cost, ParameterValues, number, number]>([
    ['what so many outputs cost, when fewer were made than it asks for', 4, { count: 4 }, 2, 8],
    ['the whole, when all were made', 4, { count: 4 }, 4, 16],
    ['the whole and no more, when more were made', 4, { count: 4 }, 9, 16],
    ['rounded up, as the cost is', byHd, { hd: 4, count: 3 }, 1, 7],
    ['one credit at least', 0.1, { count: 8 }, 1, 1],
    ['the whole, where the model has no count', 4, {}, 1, 4],
    ['the whole, where seconds are paid', perSecond, { duration: 5, count: 4 }, 1, 10],
    ['nothing, where it is free', 0, { count: 4 }, 2, 0],
  ])('is %s', (_, price, parameters, made, credits) => {
    expect(chargeFor(price, parameters, made)).toBe(credits);
  });

  it('is the same share of the reserved credits after a price change', () => {
    expect([1, 4, 7].map((price) => chargeFor(price, { count: 4 }, 2, 16))).toEqual([8, 8, 8]);
    expect(chargeFor(0, { count: 3 }, 1, 4)).toBe(2);
  });

  it('is never more than was reserved, and never more for fewer outputs', () => {
    const credits = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: 0.01, max: 50, noNaN: true }));
    fc.assert(
      fc.property(
        credits,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 40 }),
        (price, count, reserved) => {
          const charges = Array.from({ length: count + 2 }, (_, made) =>
            chargeFor(price, { count }, made + 1, reserved),
          );
          expect(charges).toEqual(charges.toSorted((one, other) => one - other));
          expect(charges.at(-1)).toBe(reserved);
        },
      ),
    );
  });
});

it.each<[Partial<Parameter>, boolean]>([
  [{ minimum: 0.1 }, true],
  [{ minimum: 0 }, false],
  [{ minimum: -1 }, false],
  [{ maximum: 4 }, false],
  [{ enum: [5, 10] }, true],
  [{ enum: [0, 5] }, false],
  [{ enum: ['5', '10'] }, false],
  [{ enum: [0, 5], minimum: 1 }, true],
])('a parameter declared with %j takes only numbers above zero: %s', (declared, expected) => {
  expect(isAboveZero({ type: 'number', ...declared })).toBe(expected);
});

it('the JSON Schema of the parameters says what is declared', () => {
  const limits = { minimum: 1, maximum: 4, default: 1 };
  expect(parametersSchema(model).properties.count).toEqual({ type: 'integer', ...limits });
});

it('the JSON Schema marks parameters that neither the mapping nor the cost reads', () => {
  const type = 'string';
  const parameters = { styles: { type }, quality: { type }, luwmodel: { type }, count: { type: 'integer' } } as const;
  const cost = { credits: { high: 8 }, parameter: 'quality', per: 'output' } as const;
  const schema = parametersSchema(aModel({ parameters, cost, mapping: { prompt: '{prompt} {styles}' } }));
  expect(schema.properties).toEqual({ ...parameters, luwmodel: { type, deprecated: true } });
  expect(parametersSchema(aModel({ parameters, mapping: {} })).properties).toEqual(parameters);
});
