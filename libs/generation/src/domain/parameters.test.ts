import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { aModel } from '../testing/builders.ts';

import { costOf, parametersSchema, parameterValues } from './parameters.ts';

const model = aModel({
  cost: 4,
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

  it.each(['0', '100', 0, 100])('take the integer %p, which is within the limits', (seed) => {
    expect(parameterValues(model, { seed }).seed).toBe(Number(seed));
  });

  it.each([-1, 101, '-1', '101', '1.5', 1.5, '1e1', ' 7', '0x10', 'seven', true, [7], {}, '9'.repeat(400), NaN])(
    'refuse %p as an integer from 0 to 100',
    (seed) => {
      expect(problems({ seed })).toEqual({ seed: ['must be an integer from 0 to 100'] });
    },
  );

  it.each(['0', '1', '0.25', 0, 1, 0.25])('take the number %p', (strength) => {
    expect(parameterValues(model, { strength }).strength).toBe(Number(strength));
  });

  it.each(['1.01', -0.01, '.5', '1.', 'Infinity', Infinity])('refuse %p as a number from 0 to 1', (strength) => {
    expect(problems({ strength })).toEqual({ strength: ['must be a number from 0 to 1'] });
  });

  it('take a text of exactly the greatest length and refuse one more character', () => {
    expect(parameterValues(model, { title: '12345' }).title).toBe('12345');
    expect(problems({ title: '123456' })).toEqual({ title: ['must be a text of at most 5 characters'] });
  });

  it('refuse a number as a text', () => {
    expect(Object.keys(problems({ title: 5 }))).toEqual(['title']);
  });

  it('refuse a text that is none of the choices', () => {
    expect(problems({ finish: 'satin' })).toEqual({ finish: ['must be one of matte, gloss'] });
  });

  it.each(['1', 1])('take %p as true', (tile) => {
    expect(parameterValues(model, { tile }).tile).toBe(true);
  });

  it.each(['yes', '2', 2, 'TRUE'])('refuse %p as true or false', (tile) => {
    expect(problems({ tile })).toEqual({ tile: ['must be true or false'] });
  });

  it('name every field that is wrong', () => {
    expect(Object.keys(problems({ seed: 'x', count: 9, tile: 'maybe' }))).toEqual(['seed', 'count', 'tile']);
  });
});

describe('the cost of a call', () => {
  it('is the cost of the model for each output', () => {
    expect(costOf(model, parameterValues(model, {}))).toBe(4);
    expect(costOf(model, parameterValues(model, { count: '3' }))).toBe(12);
  });

  it('is the cost of the model where it declares no count', () => {
    expect(costOf(aModel({ cost: 5 }), {})).toBe(5);
  });
});

it('the JSON Schema of the parameters says what is declared', () => {
  expect(parametersSchema(model).properties.count).toEqual({
    type: 'integer',
    description: 'Outputs',
    minimum: 1,
    maximum: 4,
    default: 1,
  });
});
