import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pictureFromRgb, rgbFromPicture } from './oklab.ts';
import { blur } from './picture.ts';

describe('Oklab', () => {
  it('gives every sRGB colour back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 3, maxLength: 3 }), (colour) => {
        const back = rgbFromPicture(pictureFromRgb(colour, 1, 1));
        for (const [i, value] of colour.entries()) expect(Math.abs(back[i]! - value)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('has black at 0, white at 1, and greys without chroma', () => {
    const { l, a, b } = pictureFromRgb(Uint8Array.of(0, 0, 0, 255, 255, 255, 119, 119, 119), 3, 1);
    expect(l[0]).toBeCloseTo(0, 3);
    expect(l[1]).toBeCloseTo(1, 3);
    expect(Math.hypot(a[2]!, b[2]!)).toBeLessThan(1e-3);
  });

  it('shows a colour outside of sRGB paler, with its hue and lightness', () => {
    const one = (value: number) => Float32Array.of(value);
    const wild = { width: 1, height: 1, l: one(0.6), a: one(0.25), b: one(0.2) };
    const shown = pictureFromRgb(rgbFromPicture(wild), 1, 1);
    expect(shown.l[0]).toBeGreaterThan(0.55);
    expect(shown.l[0]).toBeLessThan(0.68);
    expect(Math.atan2(shown.b[0]!, shown.a[0]!)).toBeCloseTo(Math.atan2(0.2, 0.25), 0);
    expect(Math.hypot(shown.a[0]!, shown.b[0]!)).toBeLessThan(Math.hypot(0.25, 0.2));
  });

  it('ignores a fourth channel', () => {
    const opaque = pictureFromRgb(Uint8Array.of(200, 100, 50), 1, 1);
    expect(pictureFromRgb(Uint8Array.of(200, 100, 50, 7), 1, 1, 4)).toEqual(opaque);
  });
});

describe('a blur', () => {
  it.each([0.5, 1, 3, 40])('keeps an even plane even, at sigma %d', (sigma) => {
    for (const value of blur(new Float32Array(12 * 7).fill(0.4), 12, sigma)) expect(value).toBeCloseTo(0.4, 5);
  });

  it('spreads a point by its standard deviation, and keeps the sum', () => {
    const side = 101;
    const plane = new Float32Array(side * side);
    plane[50 * side + 50] = 1;
    const blurred = blur(plane, side, 6);
    const total = blurred.reduce((sum, value) => sum + value, 0);
    const variance = blurred.reduce((sum, value, i) => sum + value * ((i % side) - 50) ** 2, 0);
    expect(total).toBeCloseTo(1, 2);
    expect(Math.sqrt(variance)).toBeGreaterThan(5.5);
    expect(Math.sqrt(variance)).toBeLessThan(6.5);
  });

  it('works on planes that are smaller than its reach', () => {
    for (const value of blur(Float32Array.of(0, 1), 2, 20)) expect(Math.abs(value - 0.5)).toBeLessThan(0.5);
  });
});
