import { describe, expect, it } from '@jest/globals';
import { refusalOfParts } from './parts-policy.ts';

const rules = { maxBytes: 100, minPartBytes: 10 };
const parts = (...sizes: (number | null)[]) =>
  sizes.flatMap((size, index) => (size === null ? [] : [{ number: index + 1, size }]));

describe('parts become a file', () => {
  it('when all were sent, all but the last are large enough, and their sum is not too large', () => {
    expect(refusalOfParts(parts(10, 10, 1), 3, rules)).toBeNull();
    expect(refusalOfParts(parts(1), 1, rules)).toBeNull();
    expect(refusalOfParts(parts(50, 50), 2, rules)).toBeNull();
  });

  it('not while parts are missing, and the error names these', () => {
    expect(refusalOfParts([], 1, rules)).toMatchObject({
      code: 'not_uploaded',
      message: 'PUT part 1 of 1 to the signed URLs first',
    });
    expect(refusalOfParts(parts(10, null, 10, null), 4, rules)).toMatchObject({
      code: 'not_uploaded',
      message: 'PUT parts 2, 4 of 4 to the signed URLs first',
    });
    expect(refusalOfParts([], 10_000, rules)!.message).toMatch(/8, 9, 10 and 9990 more of 10000/);
  });

  it('not when a part other than the last is too small', () => {
    expect(refusalOfParts(parts(10, 9, 9), 3, rules)).toMatchObject({
      code: 'not_uploaded',
      message: 'all parts but the last need 10 bytes: PUT part 2 again',
    });
  });

  it('not when their sum is too large, even while parts are missing', () => {
    expect(refusalOfParts(parts(50, 51), 2, rules)).toMatchObject({ code: 'too_large' });
    expect(refusalOfParts(parts(101), 3, rules)).toMatchObject({ code: 'too_large' });
  });
});
