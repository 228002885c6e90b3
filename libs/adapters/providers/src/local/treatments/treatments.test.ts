import { describe, expect, it } from '@jest/globals';
import { blur } from '../picture/blur.ts';
import type { Picture } from '../picture/picture.ts';
import { moodPalette } from '../style/moods.ts';
import { PLAIN_SURFACE } from '../style/texture.ts';
import { fingerprint, testPicture } from '../testing/test-pictures.ts';
import { treatments, type Treatment } from './index.ts';

const palette = moodPalette('autumn');

function treat(treatment: Treatment, picture: Picture, seed = 1): Picture {
  const unit = Math.sqrt(picture.width * picture.height) / 1024;
  return treatment(picture, { unit, palette, surface: PLAIN_SURFACE, seed });
}

/** Light and dark in the large, where a technique's marks are too small to count. */
function broadTones({ l, width, height }: Picture): Float32Array {
  return blur(l, width, height, 10);
}

describe.each(Object.entries(treatments))('%s', (_, treatment) => {
  const picture = testPicture(1, { width: 160, height: 120, contrast: 1.6 });
  const treated = treat(treatment, picture);

  it('keeps the size and makes nothing but colours', () => {
    expect([treated.width, treated.height]).toEqual([160, 120]);
    for (const plane of [treated.l, treated.a, treated.b]) {
      expect(plane.length).toBe(160 * 120);
      expect(plane.every((value) => Math.abs(value) < 1.5)).toBe(true);
    }
  });

  it('leaves the picture itself alone, and does the same for the same seed only', () => {
    const untouched = testPicture(1, { width: 160, height: 120, contrast: 1.6 });
    expect(fingerprint(picture)).toBe(fingerprint(untouched));
    expect(fingerprint(treat(treatment, picture))).toBe(fingerprint(treated));
    expect(fingerprint(treat(treatment, picture, 2))).not.toBe(fingerprint(treated));
  });

  it('is seen, and shows the same light and dark as the picture', () => {
    let change = 0;
    for (const [i, value] of treated.l.entries()) change += Math.abs(value - picture.l[i]!);
    expect(change / treated.l.length).toBeGreaterThan(0.01);
    const before = broadTones(picture);
    const after = broadTones(treated);
    const order = Array.from(before.keys()).sort((one, other) => before[one]! - before[other]!);
    const mean = (places: number[]) => places.reduce((sum, i) => sum + after[i]!, 0) / places.length;
    const tenth = order.length / 10;
    expect(mean(order.slice(-tenth))).toBeGreaterThan(mean(order.slice(0, tenth)) + 0.08);
  });

  it.each([
    [64, 64],
    [64, 300],
    [300, 64],
  ])('works at %d × %d', (width, height) => {
    const small = treat(treatment, testPicture(2, { width, height }));
    expect(small.l.length).toBe(width * height);
    expect(small.l.every(Number.isFinite)).toBe(true);
  });
});
