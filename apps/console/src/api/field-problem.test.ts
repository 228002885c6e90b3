import { expect, it } from '@jest/globals';
import { X12Error } from '#client';
import { fieldProblem, fieldProblems } from './field-problem.ts';

it('a message about a field is a whole sentence with the label of the field', () => {
  const fields = { password: ['must have 10 to 128 characters'], width: ['must be at least 64', 'must be whole'] };
  const error = new X12Error('validation_failed', 'invalid', { status: 400, fields });
  expect(fieldProblem(error, 'password', 'First password')).toBe('First password must have 10 to 128 characters.');
  expect(fieldProblem(error, 'width', 'Width')).toBe('Width must be at least 64, and must be whole.');
  expect(fieldProblem(error, 'name', 'Name')).toBeUndefined();
  expect(fieldProblem(new Error('other'), 'width', 'Width')).toBeUndefined();
  expect(fieldProblems(error, { name: 'Name', width: 'Width' })).toEqual({
    width: 'Width must be at least 64, and must be whole.',
  });
});
