import { describe, expect, it } from '@jest/globals';
import { paintLandscape } from './landscape.ts';
import { blur, PLANES, type Picture } from './picture/picture.ts';
import { readPrompt } from './prompt.ts';
import { moodColours } from './style/style.ts';
import { techniques } from './techniques.ts';
import { fingerprint, momentsOf, testPicture } from './testing/test-pictures.ts';

const paintings = {
  oil: (seed: number, width = 160, height = 120) =>
    techniques.oil(testPicture(1, { width, height, contrast: 1.6 }), seed),
  ink: (seed: number, width = 160, height = 120) =>
    techniques.ink(testPicture(1, { width, height, contrast: 1.6 }), seed),
  landscape: (seed: number, width = 160, height = 120) =>
    paintLandscape({ width, height }, moodColours('sunset'), seed),
};

describe.each(Object.entries(paintings))('%s', (_name, paint) => {
  const expectColours = (picture: Picture, width: number, height: number) => {
    expect([picture.width, picture.height]).toEqual([width, height]);
    for (const plane of PLANES) {
      expect(picture[plane]).toHaveLength(width * height);
      expect(picture[plane].every((value) => Math.abs(value) < 1.5)).toBe(true);
    }
  };

  it.each([
    [160, 120],
    [64, 64],
    [64, 300],
    [300, 64],
  ])('works at %d × %d', (width, height) => {
    for (const seed of [1, 2, 3]) expectColours(paint(seed, width, height), width, height);
  });

  it('has light and dark, and is the same for the same seed only', () => {
    const painted = paint(1);
    expect(momentsOf(painted.l).spread).toBeGreaterThan(0.03);
    expect(fingerprint(paint(1))).toBe(fingerprint(painted));
    expect(fingerprint(paint(2))).not.toBe(fingerprint(painted));
  });
});

describe.each(['oil', 'ink'] as const)('the technique %s', (name) => {
  it('visibly redraws a picture, keeps its light and dark areas, and does not change the picture itself', () => {
    const picture = testPicture(1, { width: 160, height: 120, contrast: 1.6 });
    const untouched = fingerprint(picture);
    const { l } = techniques[name](picture, 1);
    expect(fingerprint(picture)).toBe(untouched);
    expect(momentsOf(l.map((value, i) => Math.abs(value - picture.l[i]!))).mean).toBeGreaterThan(0.01);
    const [before, after] = [picture.l, l].map((plane) => blur(plane, 160, 10));
    const { mean } = momentsOf(before!);
    const light = momentsOf(after!.filter((_, i) => before![i]! > mean)).mean;
    expect(light).toBeGreaterThan(momentsOf(after!.filter((_, i) => before![i]! < mean)).mean + 0.08);
  });
});

it('a landscape has the colours it is given', () => {
  const [sunset, winter] = (['sunset', 'winter'] as const).map((mood) =>
    paintLandscape({ width: 64, height: 64 }, moodColours(mood), 1),
  );
  expect(momentsOf(sunset!.a).mean).toBeGreaterThan(0.02);
  expect(momentsOf(winter!.a).mean).toBeLessThan(-0.01);
});

describe('a prompt', () => {
  const nothing = { technique: null, mood: null, camera: null };

  it('names technique, mood and camera move in plain words', () => {
    expect(readPrompt('A SKETCH of a snowy mountain lake; zoom in')).toMatchObject({
      technique: 'ink',
      mood: 'winter',
      camera: 'closer',
    });
    expect(readPrompt('oil, night, left')).toMatchObject({ technique: 'oil', mood: 'night', camera: 'left' });
  });

  it('is matched by whole words, and leaves open what it does not name', () => {
    for (const prompt of [null, '', 'pinkish boiling nightmare', 'un perro 🐕']) {
      expect(readPrompt(prompt)).toMatchObject(nothing);
    }
    expect(readPrompt('')).toEqual(readPrompt(null));
  });

  it('varies with every letter, but not with case or surrounding space', () => {
    expect(readPrompt('a dog').hash).not.toBe(readPrompt('a dot').hash);
    expect(readPrompt(' A Dog ').hash).toBe(readPrompt('a dog').hash);
  });
});
