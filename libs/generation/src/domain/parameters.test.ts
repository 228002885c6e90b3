import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { aModel } from '../testing/builders.ts';
import { costOf, parametersSchema, parameterValues } from './parameters.ts';

const model = aModel({
  parameters: {
    seed: { type: 'integer', description: 'Seed', minimum: 0, maximum: 100 },
    count: { type: 'integer', description: 'Outputs', minimum: 1, maximum: 4, default: 1 },
    strength: { type: 'number', description: 'Strength', minimum: 0, maximum: 1, default: 0.8 },
    finish: { type: 'string', description: 'Finish', maxLength: 10, enum: ['matte', 'gloss'] },
    title: { type: 'string', description: 'Title', maxLength: 5 },
    tile: { type: 'boolean', description: 'Tileable', default: false },
  },
});
const defaults = { count: 1, strength: 0.8, tile: false };

function problems(fields: Record<string, unknown>): Readonly<Record<string, readonly string[]>> {
  try {
    parameterValues(model, fields);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'validation_failed') return error.fields!;
  }
  throw new Error('was not refused');
}

describe('parameter values', () => {
  it('are the defaults where nothing is sent', () => {
    expect(parameterValues(model, {})).toEqual(defaults);
  });

  it.each(['', 'null', null, undefined])('treat %p as nothing sent', (nothing) => {
    expect(parameterValues(model, { seed: nothing, strength: nothing, title: nothing, tile: nothing })).toEqual(
      defaults,
    );
  });

  it('are the same from forms and from JSON', () => {
    const form = { seed: '7', count: '2', strength: '0.5', finish: 'matte', title: 'Noon', tile: 'true' };
    const json = { seed: 7, count: 2, strength: 0.5, finish: 'matte', title: 'Noon', tile: true };
    expect(parameterValues(model, form)).toEqual(json);
    expect(parameterValues(model, json)).toEqual(json);
  });

  it('leave out what the model does not declare', () => {
    expect(parameterValues(model, { colour: 'red', constructor: 'x', __proto__: { seed: 1 } })).toEqual(defaults);
  });

  it.each<[string, unknown[]]>([
    ['seed', ['0', '100', 0, 100]],
    ['strength', ['0', '1', '0.25', 0, 1, 0.25]],
  ])('take every %s within the limits', (name, values) => {
    for (const value of values) expect(parameterValues(model, { [name]: value })[name]).toBe(Number(value));
  });

  it.each([
    ['seed', 'an integer from 0 to 100', [-1, 101, '-1', '101', '1.5', 1.5, '1e1', ' 7', '0x10', 'seven', true]],
    ['seed', 'an integer from 0 to 100', [[7], {}, '9'.repeat(400), NaN]],
    ['strength', 'a number from 0 to 1', ['1.01', -0.01, '.5', '1.', 'Infinity', Infinity]],
    ['title', 'a text of at most 5 characters', ['123456', 5]],
    ['finish', 'one of matte, gloss', ['satin']],
    ['tile', 'true or false', ['yes', '2', 2, 'TRUE']],
  ])('refuse as %s what is not %s', (name, rule, values) => {
    for (const value of values) expect(problems({ [name]: value })).toEqual({ [name]: [`must be ${rule}`] });
  });

  it('take a text of exactly the greatest length, and 1 as true', () => {
    expect(parameterValues(model, { title: '12345' }).title).toBe('12345');
    for (const tile of ['1', 1]) expect(parameterValues(model, { tile }).tile).toBe(true);
  });

  it('name every field that is wrong', () => {
    expect(Object.keys(problems({ seed: 'x', count: 9, tile: 'maybe' }))).toEqual(['seed', 'count', 'tile']);
  });
});

describe('the cost of a call', () => {
  it('is the cost of the model for each output, or for all where it declares no count', () => {
    expect(costOf(model, parameterValues(model, {}))).toBe(4);
    expect(costOf(model, parameterValues(model, { count: '3' }))).toBe(12);
    expect(costOf(aModel({ cost: { credits: 5, parameter: null, per: 'output' } }), {})).toBe(5);
  });
});

it('the JSON Schema of the parameters says what is declared', () => {
  const limits = { minimum: 1, maximum: 4, default: 1 };
  expect(parametersSchema(model).properties.count).toEqual({ type: 'integer', description: 'Outputs', ...limits });
});
