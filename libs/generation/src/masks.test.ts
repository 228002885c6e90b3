import { describe, expect, it } from '@jest/globals';
import type { MaskForm } from '#sources';
import { NO_INPUTS } from '#testing/generation';
import { fitsPicture, withPreparedMask, type PictureSize } from './masks.ts';

const IMAGE = { file: '/image', contentType: 'image/png', url: null };
const MASK = { file: '/mask', contentType: 'image/webp', url: 'https://files.example.com/mask.webp' };

async function prepared(
  mask: PictureSize,
  form: MaskForm = 'white',
  isEmpty = false,
  image: typeof IMAGE | null = IMAGE,
) {
  const written: unknown[] = [];
  const sizes = new Map([
    ['/image', { width: 800, height: 600 }],
    ['/mask', mask],
  ]);
  const readMask = async (...asked: unknown[]) => {
    written.push(asked);
    return { isEmpty };
  };
  const inputs = await withPreparedMask({ ...NO_INPUTS, mask: MASK, image }, sizes, form, { readMask });
  return { mask: inputs.mask, written };
}

describe('a mask', () => {
  it.each<[PictureSize, boolean]>([
    [{ width: 800, height: 600 }, true],
    [{ width: 400, height: 300 }, true],
    [{ width: 1600, height: 1200 }, true],
    [{ width: 267, height: 200 }, true],
    [{ width: 600, height: 800 }, false],
    [{ width: 800, height: 598 }, false],
    [{ width: 16_384, height: 1 }, false],
  ])('of %j fits a picture of 800 × 600: %s', (mask, fits) => {
    expect(fitsPicture(mask, { width: 800, height: 600 })).toBe(fits);
  });

  it('that is as the model takes it stays as it is', async () => {
    expect((await prepared({ width: 800, height: 600 })).mask).toBe(MASK);
    expect((await prepared({ width: 31, height: 7 }, 'white', false, null)).mask).toBe(MASK);
  });

  it.each<[string, PictureSize, MaskForm]>([
    ['another size', { width: 400, height: 300 }, 'white'],
    ['another form', { width: 800, height: 600 }, 'black'],
  ])('of %s is written anew, as a file that no vendor can fetch', async (_, size, form) => {
    const { mask, written } = await prepared(size, form);
    expect(mask).toEqual({ file: '/mask-prepared', contentType: 'image/png', url: null });
    expect(written).toEqual([['/mask', '/mask-prepared', { width: 800, height: 600, form }]]);
  });

  it('of another shape, or without anything white, is refused', async () => {
    await expect(prepared({ width: 600, height: 600 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'the mask must have the shape of the image: it has 600 × 600 pixels, the image 800 × 600',
    });
    await expect(prepared({ width: 800, height: 600 }, 'white', true)).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'the mask is empty: nothing in it is white',
    });
  });
});
