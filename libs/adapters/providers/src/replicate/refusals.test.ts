import { expect, it } from '@jest/globals';
import { refusalOf } from './refusals.ts';

const refusal = (status: number, title: string, detail: string) =>
  refusalOf({
    status,
    body: JSON.stringify({ status, title, detail }),
    headers: new Headers(),
    retryAfterSeconds: null,
  });
const NOT_FOUND = 'The requested resource could not be found.';

it('Replicate says that it does not have a model or a version', () => {
  expect(refusal(404, 'Not found', NOT_FOUND)).toBe('unknown_model');
  expect(refusal(422, 'Invalid version or not permitted', 'The specified version does not exist')).toBe(
    'unknown_model',
  );
});

it('Replicate says nothing about the model when it refuses an input or a key, and neither does a proxy', () => {
  expect(refusal(422, 'Input validation failed', '- input.width: Must be less')).toBeNull();
  expect(refusal(401, 'Unauthenticated', NOT_FOUND)).toBeNull();
  expect(refusal(404, 'Not found', 'no route')).toBeNull();
  const html = { status: 404, body: '<h1>Not found</h1>', headers: new Headers(), retryAfterSeconds: null };
  expect(refusalOf(html)).toBeNull();
});
