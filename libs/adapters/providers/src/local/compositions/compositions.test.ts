import { describe, expect, it } from '@jest/globals';
import { colourStatistics } from '../style/colour-statistics.ts';
import { moodPalette, type Mood } from '../style/moods.ts';
import { fingerprint } from '../testing/test-pictures.ts';
import { compositions } from './index.ts';

describe.each(Object.entries(compositions))('%s', (_, { paint, moods }) => {
  const compose = (seed: number, mood: Mood = 'day', width = 128, height = 96) =>
    paint({ width, height, unit: Math.sqrt(width * height) / 1024, palette: moodPalette(mood), seed });

  it('is a picture with light and dark in it', () => {
    const picture = compose(1);
    for (const plane of [picture.l, picture.a, picture.b]) {
      expect(plane.length).toBe(128 * 96);
      expect(plane.every((value) => Math.abs(value) < 1.2)).toBe(true);
    }
    expect(colourStatistics(picture).lightnessSpread).toBeGreaterThan(0.03);
  });

  it('is the same for the same seed and palette, and another for others', () => {
    const picture = fingerprint(compose(1));
    expect(fingerprint(compose(1))).toBe(picture);
    expect(fingerprint(compose(2))).not.toBe(picture);
    expect(fingerprint(compose(1, 'sunset'))).not.toBe(picture);
  });

  it('has moods that it is seen in', () => {
    expect(moods.length).toBeGreaterThan(0);
  });

  it.each([
    [64, 64],
    [64, 400],
    [400, 64],
  ])('works at %d × %d', (width, height) => {
    for (const seed of [1, 2, 3]) {
      const { l } = compose(seed, 'night', width, height);
      expect(l.length).toBe(width * height);
      expect(l.every(Number.isFinite)).toBe(true);
    }
  });
});
