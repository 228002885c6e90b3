import { describe, expect, it } from '@jest/globals';
import { blankPicture, type Picture } from '../picture/picture.ts';
import { testPicture } from '../testing/test-pictures.ts';
import { colourStatistics } from './colour-statistics.ts';
import { transferColours } from './colour-transfer.ts';

const photo = testPicture(1, { middle: 0.62, contrast: 0.7, a: -0.02, b: -0.06 });
const painting = testPicture(2, { middle: 0.4, contrast: 1.1, a: 0.06, b: 0.07 });

function transfer(picture: Picture, reference: Picture, amount = 1): Picture {
  return transferColours(picture, colourStatistics(picture), colourStatistics(reference), amount);
}

function momentsOf(plane: Float32Array): { mean: number; spread: number } {
  const mean = plane.reduce((sum, value) => sum + value, 0) / plane.length;
  return {
    mean,
    spread: Math.sqrt(plane.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.length),
  };
}

describe('a colour transfer', () => {
  it.each(['l', 'a', 'b'] as const)('carries mean and spread of %s over', (plane) => {
    const wanted = momentsOf(painting[plane]);
    const given = momentsOf(photo[plane]);
    const result = momentsOf(transfer(photo, painting)[plane]);
    expect(Math.abs(result.mean - wanted.mean)).toBeLessThan(
      0.15 * Math.abs(given.mean - wanted.mean) + 0.005,
    );
    expect(result.spread / wanted.spread).toBeGreaterThan(0.75);
    expect(result.spread / wanted.spread).toBeLessThan(1.25);
  });

  it('changes nothing at amount 0, and half as much at one half', () => {
    const none = transfer(photo, painting, 0);
    for (const plane of ['l', 'a', 'b'] as const) {
      for (const [i, value] of none[plane].entries()) expect(value).toBeCloseTo(photo[plane][i]!, 5);
    }
    const [start, half, full] = [0, 0.5, 1].map(
      (amount) => momentsOf(transfer(photo, painting, amount).l).mean,
    );
    expect(half).toBeCloseTo((start! + full!) / 2, 4);
  });

  it('leaves a picture as it is that has the colours already', () => {
    const same = transfer(photo, photo);
    for (const plane of ['l', 'a', 'b'] as const) {
      for (const [i, value] of same[plane].entries())
        expect(Math.abs(value - photo[plane][i]!)).toBeLessThan(0.02);
    }
  });

  it('keeps what is lighter lighter', () => {
    const result = transfer(photo, painting);
    const order = Array.from(photo.l.keys()).sort((one, other) => photo.l[one]! - photo.l[other]!);
    for (let i = 1; i < order.length; i++) {
      expect(result.l[order[i]!]!).toBeGreaterThanOrEqual(result.l[order[i - 1]!]! - 1e-6);
    }
  });

  it('takes all colour out for a reference without any', () => {
    const grey = testPicture(3, { a: 0, b: 0 });
    grey.a.fill(0);
    grey.b.fill(0);
    const result = transfer(photo, grey);
    for (const i of result.a.keys()) expect(Math.hypot(result.a[i]!, result.b[i]!)).toBeLessThan(0.012);
  });

  it('brings light and dark their own tints', () => {
    const split = testPicture(4, { contrast: 1.4 });
    for (const [i, lightness] of split.l.entries()) {
      split.a[i] = 0;
      split.b[i] = lightness > 0.5 ? 0.08 : -0.08;
    }
    const result = transfer(photo, split);
    const wide = momentsOf(result.l);
    const tints = { dark: [] as number[], light: [] as number[] };
    for (const [i, lightness] of result.l.entries()) {
      if (lightness < wide.mean - wide.spread) tints.dark.push(result.b[i]!);
      if (lightness > wide.mean + wide.spread) tints.light.push(result.b[i]!);
    }
    expect(momentsOf(Float32Array.from(tints.dark)).mean).toBeLessThan(-0.03);
    expect(momentsOf(Float32Array.from(tints.light)).mean).toBeGreaterThan(0.03);
  });

  it('does not tear an even sky apart, however contrasty the reference', () => {
    const sky = blankPicture(64, 48);
    for (const i of sky.l.keys()) sky.l[i] = 0.7 + 0.0005 * (i % 64);
    const stark = testPicture(5, { contrast: 2.4 });
    const result = transfer(sky, stark);
    for (let i = 1; i < 64; i++) expect(Math.abs(result.l[i]! - result.l[i - 1]!)).toBeLessThan(0.0015);
  });

  it('survives pictures of one colour, and pictures of which nothing is seen', () => {
    const flat = blankPicture(8, 8);
    flat.l.fill(0.5);
    const unseen = colourStatistics(photo, new Uint8Array(photo.l.length));
    const all = [
      transfer(flat, painting),
      transfer(photo, flat),
      transferColours(photo, unseen, colourStatistics(painting), 1),
      transferColours(photo, colourStatistics(photo), unseen, 1),
    ];
    for (const { l, a, b } of all) {
      for (const plane of [l, a, b]) expect(plane.every(Number.isFinite)).toBe(true);
    }
  });
});

describe('colour statistics', () => {
  it('count each pixel by its opacity', () => {
    const picture = blankPicture(4, 1);
    picture.l.set([0.2, 0.2, 0.8, 0.8]);
    const seen = colourStatistics(picture, Uint8Array.of(255, 255, 0, 0));
    expect(seen.meanLightness).toBeCloseTo(0.2, 5);
    expect(seen.lightnessSpread).toBeCloseTo(0, 3);
  });
});
