import { describe, expect, it } from '@jest/globals';
import { parameterFields } from './parameter-fields.ts';

function fieldFor(schema: object, name = 'value') {
  return parameterFields({ type: 'object', properties: { [name]: schema } })[0];
}

describe('a parameter of a model', () => {
  it.each([
    ['a truth value is a switch', { type: 'boolean', default: true }, { kind: 'toggle', byDefault: true }],
    ['choices are choices', { type: 'string', enum: ['low', 'high'] }, { kind: 'choice', choices: ['low', 'high'] }],
    ['numbers to choose from too', { type: 'integer', enum: [2, 4] }, { kind: 'choice', choices: [2, 4] }],
    ['eight whole numbers are choices', { type: 'integer', minimum: 1, maximum: 8 }, { kind: 'choice' }],
    ['nine are a slider', { type: 'integer', minimum: 1, maximum: 9 }, { kind: 'slider', min: 1, max: 9, step: 1 }],
    ['201 are a slider', { type: 'integer', minimum: 0, maximum: 200 }, { kind: 'slider' }],
    ['202 are typed', { type: 'integer', minimum: 0, maximum: 201 }, { kind: 'number', min: 0, max: 201, step: 1 }],
    ['steps are kept', { type: 'integer', minimum: 0, maximum: 64, multipleOf: 8 }, { kind: 'slider', step: 8 }],
    ['a share has steps of a hundredth', { type: 'number', minimum: 0, maximum: 1 }, { kind: 'slider', step: 0.01 }],
    ['seconds have steps of a tenth', { type: 'number', minimum: 2, maximum: 8 }, { kind: 'slider', step: 0.1 }],
    ['a number without limits is typed', { type: 'number' }, { kind: 'number', min: undefined, max: undefined }],
    ['a text is typed', { type: 'string', maxLength: 500 }, { kind: 'text', maxLength: 500 }],
    ['a type that may be null is the other one', { type: ['null', 'string'] }, { kind: 'text' }],
    ['an object is JSON', { type: 'object' }, { kind: 'json' }],
    ['a list is JSON', { type: 'array', items: { type: 'string' } }, { kind: 'json' }],
    ['a choice of objects is JSON', { enum: [{}, { wide: true }] }, { kind: 'json' }],
    ['an unknown shape is JSON', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, { kind: 'json' }],
  ])('%s', (_, schema, field) => expect(fieldFor(schema)).toMatchObject(field));

  it.each([
    ['that has no effect', { type: 'string', deprecated: true }],
    ['that is a constant', { const: 'png' }],
    ['with one choice', { type: 'string', enum: ['png'] }],
    ['with one number', { type: 'integer', minimum: 4, maximum: 4 }],
  ])('%s has no field', (_, schema) => expect(fieldFor(schema)).toBeUndefined());

  it('called seed can be drawn', () => {
    expect(fieldFor({ type: 'integer', minimum: 0, maximum: 3 }, 'seed')).toMatchObject({ kind: 'seed' });
  });

  it.each([
    ['enhance_prompt', 'Enhance prompt'],
    ['fps', 'FPS'],
  ])('called %s is labeled %s', (name, label) => expect(fieldFor({}, name)?.label).toBe(label));

  it('is labeled by its title if it has one', () => expect(fieldFor({ title: 'How long' })?.label).toBe('How long'));
});

it('a model without parameters has no fields', () => expect(parameterFields({ type: 'object' })).toEqual([]));
