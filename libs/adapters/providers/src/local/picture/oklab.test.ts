import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { colourFromHex, pictureFromRgb, rgbFromPicture } from './oklab.ts';

describe('Oklab', () => {
  it('gives back every colour of a screen as it was', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 3, maxLength: 3 }), (colour) => {
        const back = rgbFromPicture(pictureFromRgb(colour, 1, 1));
        for (const [i, value] of colour.entries()) expect(Math.abs(back[i]! - value)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('has white, black and grey where they belong', () => {
    expect(colourFromHex('#ffffff').l).toBeCloseTo(1, 3);
    expect(colourFromHex('#000000').l).toBeCloseTo(0, 3);
    const grey = colourFromHex('#777777');
    expect(Math.hypot(grey.a, grey.b)).toBeLessThan(1e-3);
  });

  it('shows a colour that no screen has in its own hue and lightness, only paler', () => {
    const one = (value: number) => Float32Array.of(value);
    const wild = { width: 1, height: 1, l: one(0.6), a: one(0.25), b: one(0.2) };
    const shown = pictureFromRgb(rgbFromPicture(wild), 1, 1);
    expect(shown.l[0]).toBeGreaterThan(0.55);
    expect(shown.l[0]).toBeLessThan(0.68);
    expect(Math.atan2(shown.b[0]!, shown.a[0]!)).toBeCloseTo(Math.atan2(0.2, 0.25), 0);
    expect(Math.hypot(shown.a[0]!, shown.b[0]!)).toBeLessThan(Math.hypot(0.25, 0.2));
  });

  it('looks at no fourth channel', () => {
    const opaque = pictureFromRgb(Uint8Array.of(200, 100, 50), 1, 1);
    expect(pictureFromRgb(Uint8Array.of(200, 100, 50, 7), 1, 1, 4)).toEqual(opaque);
  });
});
