import { describe, expect, it } from '@jest/globals';
import { cellOf, COLOR_CELLS, colorDistance, rgbOf } from './color.ts';
import { lookOf, MAX_COLORS, type RawPixels } from './look.ts';

type Rgba = readonly [number, number, number, number?];

function picture(width: number, height: number, at: (x: number, y: number) => Rgba): RawPixels {
  const pixels = Array.from({ length: width * height }, (_, index) => at(index % width, Math.floor(index / width)));
  const channels = pixels[0]!.length;
  return { data: Uint8Array.from(pixels.flat() as number[]), width, height, channels };
}

const flat = (...color: [number, number, number, number?]) => picture(20, 16, () => color);
const differing = (one: string, other: string) => [...one].filter((digit, index) => digit !== other[index]).length;
const ramp = (x: number): Rgba => [x * 2, x * 2, x * 2];

describe('a colour', () => {
  it('is found again from its cell, white and black unchanged', () => {
    expect(rgbOf(cellOf(255, 255, 255))).toEqual([255, 255, 255]);
    expect(rgbOf(cellOf(0, 0, 0))).toEqual([0, 0, 0]);
    for (let cell = 0; cell < COLOR_CELLS; cell += 97) expect(cellOf(...rgbOf(cell))).toBe(cell);
  });

  it('is as far from others as eyes see it', () => {
    const [red, darkRed, orange, blue] = [cellOf(255, 0, 0), cellOf(220, 0, 0), cellOf(255, 128, 0), cellOf(0, 0, 255)];
    expect(colorDistance(red, red)).toBe(0);
    expect(colorDistance(cellOf(0, 0, 0), cellOf(255, 255, 255))).toBeCloseTo(1, 2);
    expect(colorDistance(red, darkRed)).toBeLessThan(colorDistance(red, orange));
    expect(colorDistance(red, orange)).toBeLessThan(colorDistance(red, blue));
    expect(colorDistance(red, blue)).toBe(colorDistance(blue, red));
  });
});

describe('the look of a picture', () => {
  it('has its colours, the most frequent first', () => {
    const red = cellOf(255, 0, 0);
    const blue = cellOf(0, 0, 255);
    expect(lookOf(picture(20, 20, (x) => (x < 14 ? [255, 0, 0] : [0, 0, 255]))).colors).toEqual([red, blue]);
  });

  it('counts colours as one that are hardly different', () => {
    expect(lookOf(picture(20, 20, (x) => (x % 2 ? [200, 40, 40] : [208, 44, 40]))).colors).toHaveLength(1);
  });

  it('has five colours at most, and none that is rare', () => {
    const eight = (x: number): Rgba => [x & 1 ? 255 : 0, x & 2 ? 255 : 0, x & 4 ? 255 : 0];
    expect(lookOf(picture(80, 8, (x) => eight(x >> 3))).colors).toHaveLength(MAX_COLORS);
    expect(lookOf(picture(20, 20, (x, y) => (x + y === 0 ? [0, 0, 255] : [255, 0, 0]))).colors).toHaveLength(1);
  });

  it('leaves transparent pixels out', () => {
    expect(lookOf(picture(8, 8, (x) => [255, 0, 0, x < 6 ? 0 : 255])).colors).toEqual([cellOf(255, 0, 0)]);
    expect(lookOf(flat(255, 0, 0, 0)).colors).toEqual([]);
  });

  it('has the same shape when it is scaled or brightened, and another one when it is mirrored', () => {
    const { shape } = lookOf(picture(100, 80, (x) => ramp(x)));
    expect(shape).toBe('1'.repeat(64));
    expect(lookOf(picture(50, 40, (x) => ramp(2 * x))).shape).toBe(shape);
    expect(lookOf(picture(100, 80, (x) => [x * 2 + 40, x * 2 + 40, x * 2 + 40])).shape).toBe(shape);
    expect(differing(lookOf(picture(100, 80, (x) => ramp(99 - x))).shape, shape)).toBe(64);
  });

  it('has no shape where nothing becomes brighter, and takes noise for nothing', () => {
    expect(lookOf(flat(90, 90, 90)).shape).toBe('0'.repeat(64));
    expect(lookOf(picture(27, 24, (x) => [90 + (x % 2), 90, 90])).shape).toBe('0'.repeat(64));
  });

  it.each([
    [1, 1],
    [1, 300],
    [3, 2],
  ])('can be taken of %d × %d pixels', (width, height) => {
    const look = lookOf(picture(width, height, () => [1, 2, 3]));
    expect(look.colors).toHaveLength(1);
    expect(look.shape).toMatch(/^[01]{64}$/);
  });

  it.each([
    ['gray', [200] as unknown as Rgba],
    ['gray with alpha', [200, 255] as unknown as Rgba],
  ])('can be taken of a picture in %s', (_what, pixel) => {
    expect(lookOf(picture(9, 9, () => pixel)).colors).toEqual([cellOf(200, 200, 200)]);
  });
});
