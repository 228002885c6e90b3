import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paintLandscape } from './landscape.ts';
import { blur, hexOf, mapPlanes, pictureFromRgb, rgbFromPicture, type Picture } from './picture/picture.ts';
import { createRandom, noisePlane } from './picture/random.ts';
import { colourAt, paletteOf, transferColours } from './style/colours.ts';
import { MOOD_NAMES, moodPalette } from './style/moods.ts';
import { layTexture } from './style/texture.ts';
import { techniques } from './techniques.ts';

const AXES = [0, 1, 2] as const;

/** A picture with shapes, edges and two groups of colours. */
function testPicture(seed: number, look: { size?: number[]; middle?: number; contrast?: number; tint?: number } = {}) {
  const { size: [width = 64, height = 48] = [], middle = 0.5, contrast = 1, tint = 0.04 } = look;
  const random = createRandom(seed);
  const [forms, patches] = [5, 10].map((blotch) => noisePlane({ width, height }, blotch, random));
  const side = patches!.map((value) => Math.sign(value));
  const planes = [
    forms!.map((form, i) => middle + contrast * (form * 0.08 + side[i]! * 0.08)),
    forms!.map((form) => -tint - 0.01 * form),
    side.map((value) => tint + 0.03 * value),
  ] as const;
  return { width, height, planes };
}

/** A picture of one colour. */
function plainPicture(width: number, height: number, light: number): Picture {
  const plane = (value: number) => new Float32Array(width * height).fill(value);
  return { width, height, planes: [plane(light), plane(0), plane(0)] };
}

/** Equal for equal pictures; comparing the arrays themselves takes an assertion seconds. */
function fingerprint({ planes }: Picture): string {
  const hash = createHash('sha1');
  for (const plane of planes) hash.update(plane);
  return hash.digest('hex');
}

function momentsOf(plane: Float32Array): { readonly mean: number; readonly spread: number } {
  const mean = plane.reduce((sum, value) => sum + value, 0) / plane.length;
  const variance = plane.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.length;
  return { mean, spread: Math.sqrt(variance) };
}

const greatestDifference = (one: Float32Array, other: Float32Array): number =>
  one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0);

describe('the planes of a picture', () => {
  it('give every colour back, with or without a fourth channel', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (colour) => {
        expect([...rgbFromPicture(pictureFromRgb(colour, 1, 1, 4))]).toEqual([...colour.subarray(0, 3)]);
      }),
    );
  });

  it('have black at 0, white at 1, and greys without colour; colours outside of sRGB are clipped', () => {
    const { planes } = pictureFromRgb(Uint8Array.of(0, 0, 0, 255, 255, 255, 119, 119, 119), 3, 1);
    expect([...planes[0]].map((light) => Math.round(light * 255))).toEqual([0, 255, 119]);
    for (const plane of [planes[1], planes[2]])
      expect(greatestDifference(plane, new Float32Array(3))).toBeLessThan(1e-6);
    expect([hexOf([2, 0, 0]), hexOf([-1, 0, 0]), hexOf([0.5, 0, 0.5])]).toEqual(['#ffffff', '#000000', '#ff4480']);
  });
});

describe('a blur', () => {
  it.each([0.5, 1, 3, 40])('keeps an even plane even, at sigma %d', (sigma) => {
    const even = new Float32Array(12 * 7).fill(0.4);
    expect(greatestDifference(blur(even, 12, sigma), even)).toBeLessThan(5e-6);
  });

  it('spreads a point by its standard deviation, keeps the sum, and works where it reaches beyond the plane', () => {
    const side = 101;
    const plane = new Float32Array(side * side);
    plane[50 * side + 50] = 1;
    const blurred = blur(plane, side, 6);
    const total = blurred.reduce((sum, value) => sum + value, 0);
    const variance = blurred.reduce((sum, value, i) => sum + value * ((i % side) - 50) ** 2, 0);
    expect(total).toBeCloseTo(1, 2);
    expect(Math.sqrt(variance)).toBeGreaterThan(5.5);
    expect(Math.sqrt(variance)).toBeLessThan(6.5);
    for (const value of blur(Float32Array.of(0, 1), 2, 20)) expect(Math.abs(value - 0.5)).toBeLessThan(0.5);
  });
});

describe('a colour transfer', () => {
  const photo = testPicture(1, { middle: 0.62, contrast: 0.7, tint: -0.03 });
  const painting = testPicture(2, { middle: 0.4, contrast: 1.1, tint: 0.06 });
  const transfer = (picture: Picture, reference: Picture, amount = 1) =>
    transferColours(picture, null, paletteOf(reference), amount);

  it.each(AXES)('carries the mean and the spread over (axis %d)', (axis) => {
    const wanted = momentsOf(painting.planes[axis]);
    const given = momentsOf(photo.planes[axis]);
    const { mean, spread } = momentsOf(transfer(photo, painting).planes[axis]);
    expect(Math.abs(mean - wanted.mean)).toBeLessThan(0.15 * Math.abs(given.mean - wanted.mean) + 0.005);
    expect(spread / wanted.spread).toBeGreaterThan(0.75);
    expect(spread / wanted.spread).toBeLessThan(1.25);
  });

  it('changes nothing at amount 0, half as much at one half, and little in a picture that has the colours', () => {
    const none = transfer(photo, painting, 0);
    const same = transfer(photo, photo);
    for (const axis of AXES) {
      expect(greatestDifference(none.planes[axis], photo.planes[axis])).toBeLessThan(1e-5);
      expect(greatestDifference(same.planes[axis], photo.planes[axis])).toBeLessThan(0.02);
    }
    const [start, half, full] = [0, 0.5, 1].map((by) => momentsOf(transfer(photo, painting, by).planes[0]).mean);
    expect(half).toBeCloseTo((start! + full!) / 2, 4);
  });

  it('keeps the order of lightness', () => {
    const [light] = transfer(photo, painting).planes;
    const order = Array.from(light.keys()).sort((one, other) => photo.planes[0][one]! - photo.planes[0][other]!);
    const drops = order.slice(1).map((pixel, i) => light[order[i]!]! - light[pixel]!);
    expect(drops.reduce((most, drop) => Math.max(most, drop))).toBeLessThanOrEqual(1e-6);
  });

  it('gives shadows and lights the tints of the reference, and none for a reference without colour', () => {
    const { planes } = transfer(photo, plainPicture(64, 48, 0.5));
    const none = new Float32Array(64 * 48);
    for (const axis of [1, 2] as const) expect(greatestDifference(planes[axis], none)).toBeLessThan(0.01);
    const split = testPicture(4, { contrast: 1.4 });
    const tinted = mapPlanes(split, (plane, axis) =>
      axis === 1 ? split.planes[0].map((l) => (l > 0.5 ? 0.08 : -0.08)) : plane,
    );
    const [light, blue] = transfer(photo, tinted).planes;
    const { mean, spread } = momentsOf(light);
    expect(momentsOf(blue.filter((_, i) => light[i]! < mean - spread)).mean).toBeLessThan(-0.03);
    expect(momentsOf(blue.filter((_, i) => light[i]! > mean + spread)).mean).toBeGreaterThan(0.03);
  });

  it('keeps an even sky smooth, whatever the contrast of the reference', () => {
    const sky = mapPlanes(plainPicture(64, 48, 0.7), (plane) => plane.map((value, i) => value + 0.0005 * (i % 64)));
    const [light] = transfer(sky, testPicture(5, { contrast: 2.4 })).planes;
    for (let i = 1; i < 64; i++) expect(Math.abs(light[i]! - light[i - 1]!)).toBeLessThan(0.0025);
  });

  it('counts visible pixels only, and works when none is visible or all have one colour', () => {
    const half = mapPlanes(plainPicture(4, 1, 0), () => Float32Array.of(0.2, 0.2, 0.8, 0.8));
    expect(colourAt(paletteOf(half, Uint8Array.of(255, 255, 0, 0)), 1)[0]).toBeCloseTo(0.2, 5);
    const flat = plainPicture(8, 8, 0);
    const unseen = new Uint8Array(64 * 48);
    const invisible = transferColours(photo, unseen, paletteOf(photo, unseen), 1);
    for (const picture of [transfer(flat, painting), transfer(photo, flat), invisible]) {
      for (const plane of picture.planes) expect(plane.every(Number.isFinite)).toBe(true);
    }
  });

  it.each(MOOD_NAMES)('has moods that run from dark to light: %s', (mood) => {
    const tones = [0, 0.2, 0.4, 0.6, 0.8, 1].map((position) => colourAt(moodPalette(mood), position)[0]);
    for (let i = 1; i < tones.length; i++) expect(tones[i]!).toBeGreaterThan(tones[i - 1]!);
  });
});

describe('a texture', () => {
  const plain = plainPicture(90, 70, 0.5);
  const even = plainPicture(120, 120, 0.5);
  const stripes = mapPlanes(even, (plane, axis) =>
    axis > 0 ? plane : plane.map((value, i) => value + 0.2 * Math.sin((i % 120) + Math.floor(i / 120))),
  );
  const lay = (picture: Picture, amount = 1) => layTexture(picture, [stripes], amount, 1);

  it('adds the detail of the reference and keeps the broad tones of the picture', () => {
    expect(momentsOf(lay(plain).planes[0]).spread).toBeGreaterThan(0.04);
    const picture = testPicture(2, { size: [90, 70] });
    const [before, after] = [picture, lay(picture)].map(({ planes }) => blur(planes[0], 90, 8));
    expect(greatestDifference(after!, before!)).toBeLessThan(0.05);
  });

  it('changes nothing at amount 0, or when the reference is smaller than a patch', () => {
    expect(lay(plain, 0).planes[0]).toEqual(plain.planes[0]);
    expect(layTexture(plain, [testPicture(1, { size: [6, 6] })], 1, 1)).toBe(plain);
  });

  it('is the same for the same seed only', () => {
    const reference = testPicture(3, { size: [120, 120] });
    const [one, again, other] = [1, 1, 2].map((seed) => fingerprint(layTexture(plain, [reference], 1, seed)));
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });
});

describe('paintings', () => {
  const content = (width: number, height: number) => testPicture(1, { size: [width, height], contrast: 1.6 });
  const painters = {
    oil: (seed: number, width = 64, height = 64) => techniques.oil(content(width, height), seed),
    ink: (seed: number, width = 64, height = 64) => techniques.ink(content(width, height), seed),
    landscape: (seed: number, width = 64, height = 64) =>
      paintLandscape({ width, height }, moodPalette('sunset'), seed),
  };

  it.each(Object.entries(painters))(
    '%s works at extreme shapes; the same seed gives the same picture',
    async (_, paint) => {
      const painted = await paint(1);
      const [tall, wide] = [await paint(1, 16, 200), await paint(1, 200, 16)];
      expect([tall.width, tall.height, wide.width, wide.height]).toEqual([16, 200, 200, 16]);
      for (const { planes, width, height } of [painted, tall, wide]) {
        for (const plane of planes) {
          expect(plane).toHaveLength(width * height);
          expect(plane.every((value) => Math.abs(value) < 1.5)).toBe(true);
        }
      }
      expect(momentsOf(painted.planes[0]).spread).toBeGreaterThan(0.03);
      expect(fingerprint(await paint(1))).toBe(fingerprint(painted));
      expect(fingerprint(await paint(2))).not.toBe(fingerprint(painted));
    },
  );

  it.each(['oil', 'ink'] as const)('in %s visibly redraw a picture, keep its lights, and do not change it', (name) => {
    const picture = content(160, 120);
    const untouched = fingerprint(picture);
    const [given, drawn] = [picture.planes[0], techniques[name](picture, 1).planes[0]];
    expect(fingerprint(picture)).toBe(untouched);
    expect(momentsOf(drawn.map((value, i) => Math.abs(value - given[i]!))).mean).toBeGreaterThan(0.01);
    const [before, after] = [given, drawn].map((plane) => blur(plane, 160, 10));
    const { mean } = momentsOf(before!);
    const light = momentsOf(after!.filter((_, i) => before![i]! > mean)).mean;
    expect(light).toBeGreaterThan(momentsOf(after!.filter((_, i) => before![i]! < mean)).mean + 0.08);
  });

  it('of landscapes have the colours they are given', async () => {
    const size = { width: 64, height: 64 };
    const redness = async (mood: 'sunset' | 'winter') =>
      momentsOf((await paintLandscape(size, moodPalette(mood), 1)).planes[2]).mean;
    expect(await redness('sunset')).toBeGreaterThan(0.04);
    expect(await redness('winter')).toBeLessThan(-0.02);
  });
});
