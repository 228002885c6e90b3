import { describe, expect, it } from '@jest/globals';
import { someRules } from '#testing/files';
import { losesMetadata, refusalOfParts, refusalOfSize } from './upload-policy.ts';

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

it('a file has from one byte to the limit of the service', () => {
  const rules = someRules({ maxBytes: 10 });
  expect(refusalOfSize(0, 'a.png', rules)).toMatchObject({ code: 'file_type_mismatch', message: 'the file is empty' });
  expect(refusalOfSize(1, 'a.png', rules)).toBeNull();
  expect(refusalOfSize(10, 'a.png', rules)).toBeNull();
  expect(refusalOfSize(11, 'a.png', rules)).toMatchObject({ code: 'too_large' });
});

describe('the metadata of an upload', () => {
  const strip = someRules({ maxBytes: 10, maxStrippedBytes: 5, metadata: 'strip' });
  const keep = { ...strip, metadata: 'keep' } as const;

  it.each(['a.jpg', 'a.JPEG', 'a.png', 'a.webp', 'a.gif', 'a.tif', 'x12tmp-a.tiff'])(
    'of the picture %s is removed if the operator configures it, up to a separate size limit',
    (name) => {
      expect([losesMetadata(name, strip), losesMetadata(name, keep)]).toEqual([true, false]);
      expect(refusalOfSize(5, name, strip)).toBeNull();
      expect(refusalOfSize(6, name, strip)).toMatchObject({ code: 'too_large' });
      expect(refusalOfSize(10, name, keep)).toBeNull();
    },
  );

  it.each(['a.svg', 'a.mp4', 'a.glb', 'a.gltf', 'a.fbx'])('of %s is kept', (name) => {
    expect(losesMetadata(name, strip)).toBe(false);
    expect(refusalOfSize(10, name, strip)).toBeNull();
  });
});
