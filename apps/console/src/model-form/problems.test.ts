import { describe, expect, it } from '@jest/globals';
import { X12Error } from '../api/index.ts';
import { problemsOf, problemsOfStart } from './problems.ts';

const asked = { model: 'painter', pid: 3, width: 7 };
const labels = { pid: 'Persona', image: 'Image', width: 'Width' };
const invalid = new X12Error('validation_failed', 'invalid', {
  status: 400,
  fields: { image: ['is required'], width: ['must be at least 64', 'must be whole'] },
});
const empty = new X12Error('slot_empty', 'slot 7 is empty', { status: 409 });
const poor = new X12Error('insufficient_credits', 'too few credits', { status: 402 });

describe('the message at a field', () => {
  it('stays while the field is unchanged', () => {
    expect(problemsOf(invalid, asked, asked, labels)).toEqual({
      fields: { image: 'Image is required.', width: 'Width must be at least 64, and must be whole.' },
      other: null,
    });
  });

  it('disappears when its field is filled or changed, without the messages of other fields', () => {
    expect(problemsOf(invalid, asked, { ...asked, width: 64 }, labels).fields).toEqual({ image: 'Image is required.' });
    expect(Object.keys(problemsOf(invalid, asked, { ...asked, image: 'i' }, labels).fields)).toEqual(['width']);
  });
});

describe('the errors of a failed start', () => {
  it('are not shown for another model', () => {
    const now = { ...asked, model: 'camera' };
    expect(problemsOfStart({ asked, error: invalid }, now, labels)).toEqual({ fields: {}, other: null });
  });

  it.each([
    ['belong to no field', poor],
    ['are about the slots of the persona', empty],
  ])('that %s disappear when any field changes', (_, error) => {
    const before = problemsOfStart({ asked, error }, asked, labels);
    expect(before).not.toEqual({ fields: {}, other: null });
    expect(problemsOfStart({ asked, error }, { ...asked, image: 'i' }, labels)).toEqual({ fields: {}, other: null });
  });
});
