import { describe, expect, it } from '@jest/globals';
import { expiryOf, isSameFile, stageSteps, tileSource, unsigned } from './file-url.ts';

const FILE = 'https://a.example/files/4hT0k3n_-x/red%20owl.png';
const SIGNATURE = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE';
const signed = (expires: number, options = '', share = '') =>
  `${FILE}?${options}expires=${expires}${share}&signature=${SIGNATURE}`;

describe('the unsigned URL', () => {
  it.each([
    ['a signed one loses its query', signed(1_800_000_000), FILE],
    ['that of a guest, too', signed(1_800_000_000, '', '&share=7'), FILE],
    ['that of a variant, too', `${signed(1_800_000_000, 'w=320&')}&fm=auto`, FILE],
    ['a public one stays', FILE, FILE],
    ['a foreign one keeps its query', 'https://b.example/files/x?v=2', 'https://b.example/files/x?v=2'],
    ['one with half a signature keeps its query', `${FILE}?expires=1800000000`, `${FILE}?expires=1800000000`],
    ['a blob stays', 'blob:https://a.example/1', 'blob:https://a.example/1'],
  ])('%s', (_, url, expected) => expect(unsigned(url)).toBe(expected));
});

it('two URLs are of the same file whenever and whether they were signed', () => {
  expect(isSameFile(signed(1_800_000_000), signed(1_800_003_600))).toBe(true);
  expect(isSameFile(signed(1_800_000_000), FILE)).toBe(true);
  expect(isSameFile(`${FILE}?v=1`, `${FILE}?v=2`)).toBe(false);
});

it('a signed URL expires, a public one does not', () => {
  expect(expiryOf(signed(1_800_000_000))).toEqual(new Date('2027-01-15T08:00:00Z'));
  expect(expiryOf(FILE)).toBe(null);
});

describe('the picture of a tile', () => {
  const origin = 'https://a.example';
  const of = (small: number, large: number, host = origin) => [
    { url: `${host}/files/t/small.webp`, width: small },
    { url: `${host}/files/t/large.webp`, width: large },
  ];
  const source = (thumbnails: ReturnType<typeof of>, width: number, density: number) => {
    const { url, variant } = tileSource(thumbnails, width, density, origin)!;
    return [url.includes('small') ? 'small' : 'large', variant?.width ?? null];
  };

  it('is the smallest thumbnail that fills the width in the pixels of the screen', () => {
    expect(source(of(320, 400), 320, 1)).toEqual(['small', null]);
    expect(source(of(320, 400), 321, 1)).toEqual(['large', null]);
    expect(source(of(320, 400), 320, 2)).toEqual(['large', null]);
  });

  it('is enlarged a little on a dense screen', () => {
    expect(source(of(200, 400), 142, 3)).toEqual(['small', null]);
    expect(source(of(200, 400), 143, 3)).toEqual(['large', null]);
  });

  it('is the largest thumbnail if none fills it', () =>
    expect(source(of(320, 1024), 2000, 1)).toEqual(['large', null]));

  it('is a variant of the large thumbnail that is half as wide again or more', () => {
    expect(source(of(180, 480), 220, 1)).toEqual(['large', 320]);
    expect(source(of(180, 479), 220, 1)).toEqual(['large', null]);
    expect(source(of(320, 1024), 321, 1)).toEqual(['large', 480]);
  });

  it('is no variant where another server has the file, which ignores options', () =>
    expect(source(of(180, 576, 'https://bucket.example'), 220, 1)).toEqual(['large', null]));

  it('is none without thumbnails', () => expect(tileSource([], 200, 1, origin)).toBe(null));
});

describe('the variants for a whole window', () => {
  const origin = 'https://a.example';
  it.each([
    ['a picture that is a quarter larger has one', FILE, 2000, [1600]],
    ['a smaller one has none', FILE, 1999, []],
    ['a very large one has both', FILE, 3200, [1600, 2560]],
    ['also one that is signed', signed(1_800_000_000), 2000, [1600]],
    ['a GIF, which may move, has none', `${origin}/files/t/a.gif`, 4000, []],
    ['a file of a bucket has none', 'https://bucket.example/files/t/a.png', 4000, []],
  ])('%s', (_, url, length, steps) => expect(stageSteps(url, length, origin)).toEqual(steps));
});
