import { describe, expect, it } from '@jest/globals';
import { blur } from '../picture/blur.ts';
import { blankPicture, type Picture } from '../picture/picture.ts';
import { testPicture } from '../testing/test-pictures.ts';
import { layTexture, surfaceTexture } from './texture.ts';

function stripes(angle: number, period: number): Picture {
  const picture = blankPicture(120, 120);
  for (const i of picture.l.keys()) {
    const across = (i % 120) * Math.sin(angle) - Math.floor(i / 120) * Math.cos(angle);
    picture.l[i] = 0.5 + 0.2 * Math.sin((across * 2 * Math.PI) / period);
  }
  return picture;
}

describe('a surface', () => {
  it.each([0, 0.6, 1.2, -0.7])('runs the way that its marks run: %d', (angle) => {
    const turn = (surfaceTexture(stripes(angle, 9)).direction - angle) / Math.PI;
    expect(Math.abs(turn - Math.round(turn))).toBeLessThan(0.03);
  });

  it('is coarser where forms prevail over detail', () => {
    expect(surfaceTexture(stripes(0, 24)).coarseness).toBeGreaterThan(
      surfaceTexture(stripes(0, 4)).coarseness,
    );
  });
});

describe('laying a texture', () => {
  const plain = blankPicture(90, 70);
  plain.l.fill(0.5);

  it('brings the detail of the reference and keeps the broad tones of the picture', () => {
    const picture = testPicture(1, { width: 90, height: 70 });
    const laid = layTexture(plain, stripes(0.4, 6), { patch: 20, amount: 1, seed: 1 });
    expect(Math.max(...laid.l) - Math.min(...laid.l)).toBeGreaterThan(0.1);
    const rough = layTexture(picture, stripes(0.4, 6), { patch: 20, amount: 1, seed: 1 });
    const before = blur(picture.l, 90, 70, 8);
    const after = blur(rough.l, 90, 70, 8);
    for (const [i, value] of after.entries()) expect(Math.abs(value - before[i]!)).toBeLessThan(0.05);
  });

  it('changes nothing at amount 0, or when the reference is smaller than a patch', () => {
    expect(layTexture(plain, stripes(0, 6), { patch: 20, amount: 0, seed: 1 }).l).toEqual(plain.l);
    expect(
      layTexture(plain, testPicture(1, { width: 16, height: 16 }), { patch: 20, amount: 1, seed: 1 }),
    ).toBe(plain);
  });

  it('lies differently for another seed', () => {
    const reference = testPicture(3, { width: 120, height: 120 });
    const lay = (seed: number) => layTexture(plain, reference, { patch: 20, amount: 1, seed }).l;
    expect(lay(1)).toEqual(lay(1));
    expect(lay(1)).not.toEqual(lay(2));
  });
});
