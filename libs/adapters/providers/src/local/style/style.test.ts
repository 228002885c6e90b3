import { describe, expect, it } from '@jest/globals';
import { blankPicture, blur, PLANES, type Picture } from '../picture/picture.ts';
import { fingerprint, momentsOf, testPicture } from '../testing/test-pictures.ts';
import { colourStatistics, transferColours, typicalColour } from './colours.ts';
import { MOOD_NAMES, moodColours } from './style.ts';
import { layTexture } from './texture.ts';

const photo = testPicture(1, { middle: 0.62, contrast: 0.7, a: -0.02, b: -0.06 });
const painting = testPicture(2, { middle: 0.4, contrast: 1.1, a: 0.06, b: 0.07 });

function transfer(picture: Picture, reference: Picture, amount = 1): Picture {
  return transferColours(picture, null, colourStatistics(reference), amount);
}

describe('a colour transfer', () => {
  it.each(PLANES)('carries the mean and the spread of %s over', (plane) => {
    const wanted = momentsOf(painting[plane]);
    const given = momentsOf(photo[plane]);
    const { mean, spread } = momentsOf(transfer(photo, painting)[plane]);
    expect(Math.abs(mean - wanted.mean)).toBeLessThan(0.15 * Math.abs(given.mean - wanted.mean) + 0.005);
    expect(spread / wanted.spread).toBeGreaterThan(0.75);
    expect(spread / wanted.spread).toBeLessThan(1.25);
  });

  it('changes nothing at amount 0, and half as much at one half', () => {
    const none = transfer(photo, painting, 0);
    for (const plane of PLANES) {
      for (const [i, value] of none[plane].entries()) expect(value).toBeCloseTo(photo[plane][i]!, 5);
    }
    const [start, half, full] = [0, 0.5, 1].map((amount) => momentsOf(transfer(photo, painting, amount).l).mean);
    expect(half).toBeCloseTo((start! + full!) / 2, 4);
  });

  it('keeps a picture that has the colours already', () => {
    const same = transfer(photo, photo);
    for (const plane of PLANES) {
      const changes = same[plane].map((value, i) => Math.abs(value - photo[plane][i]!));
      expect(Math.max(...changes)).toBeLessThan(0.02);
    }
  });

  it('keeps the order of lightness', () => {
    const { l } = transfer(photo, painting);
    const order = Array.from(photo.l.keys()).sort((one, other) => photo.l[one]! - photo.l[other]!);
    for (let i = 1; i < order.length; i++) expect(l[order[i]!]!).toBeGreaterThanOrEqual(l[order[i - 1]!]! - 1e-6);
  });

  it('removes all colour for a reference without colour', () => {
    const grey = { ...testPicture(3), a: new Float32Array(64 * 48), b: new Float32Array(64 * 48) };
    const { a, b } = transfer(photo, grey);
    for (const i of a.keys()) expect(Math.hypot(a[i]!, b[i]!)).toBeLessThan(0.012);
  });

  it('gives shadows and lights the tints they have in the reference', () => {
    const split = testPicture(4, { contrast: 1.4 });
    for (const [i, lightness] of split.l.entries()) split.b[i] = lightness > 0.5 ? 0.08 : -0.08;
    const { l, b } = transfer(photo, split);
    const { mean, spread } = momentsOf(l);
    expect(momentsOf(b.filter((_, i) => l[i]! < mean - spread)).mean).toBeLessThan(-0.03);
    expect(momentsOf(b.filter((_, i) => l[i]! > mean + spread)).mean).toBeGreaterThan(0.03);
  });

  it('keeps an even sky smooth, whatever the contrast of the reference', () => {
    const sky = blankPicture(64, 48);
    for (const i of sky.l.keys()) sky.l[i] = 0.7 + 0.0005 * (i % 64);
    const { l } = transfer(sky, testPicture(5, { contrast: 2.4 }));
    for (let i = 1; i < 64; i++) expect(Math.abs(l[i]! - l[i - 1]!)).toBeLessThan(0.0015);
  });

  it('counts visible pixels only, and works when none is visible or all have one colour', () => {
    const half = blankPicture(4, 1);
    half.l.set([0.2, 0.2, 0.8, 0.8]);
    const seen = colourStatistics(half, Uint8Array.of(255, 255, 0, 0));
    expect(typicalColour(seen, 1).l).toBeCloseTo(0.2, 5);
    const flat = blankPicture(8, 8);
    const unseen = new Uint8Array(photo.l.length);
    const results = [
      transfer(flat, painting),
      transfer(photo, flat),
      transferColours(photo, unseen, colourStatistics(photo, unseen), 1),
    ];
    for (const picture of results) {
      for (const plane of PLANES) expect(picture[plane].every(Number.isFinite)).toBe(true);
    }
  });
});

it.each(MOOD_NAMES)('the mood %s runs from dark to light', (mood) => {
  const tones = [0, 0.2, 0.4, 0.6, 0.8, 1].map((position) => typicalColour(moodColours(mood), position).l);
  for (let i = 1; i < tones.length; i++) expect(tones[i]!).toBeGreaterThan(tones[i - 1]!);
});

describe('a texture', () => {
  const plain = blankPicture(90, 70);
  plain.l.fill(0.5);
  const stripes = blankPicture(120, 120);
  for (const i of stripes.l.keys()) stripes.l[i] = 0.5 + 0.2 * Math.sin((i % 120) + Math.floor(i / 120));
  const lay = (picture: Picture, reference: Picture, amount = 1, seed = 1) =>
    layTexture(picture, reference, amount, seed);

  it('adds the detail of the reference and keeps the broad tones of the picture', () => {
    expect(momentsOf(lay(plain, stripes).l).spread).toBeGreaterThan(0.04);
    const picture = testPicture(1, { width: 90, height: 70 });
    const before = blur(picture.l, 90, 8);
    const after = blur(lay(picture, stripes).l, 90, 8);
    for (const [i, value] of after.entries()) expect(Math.abs(value - before[i]!)).toBeLessThan(0.05);
  });

  it('changes nothing at amount 0, or when the reference is smaller than a patch', () => {
    expect(lay(plain, stripes, 0).l).toEqual(plain.l);
    expect(lay(plain, testPicture(1, { width: 6, height: 6 }))).toBe(plain);
  });

  it('is the same for the same seed only', () => {
    const reference = testPicture(3, { width: 120, height: 120 });
    const laid = fingerprint(lay(plain, reference));
    expect(fingerprint(lay(plain, reference))).toBe(laid);
    expect(fingerprint(lay(plain, reference, 1, 2))).not.toBe(laid);
  });
});
