import { createHash } from 'node:crypto';
import { blankPicture, PLANES, type Picture } from '../picture/picture.ts';
import { fractalNoise } from '../picture/random.ts';

interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly middle?: number;
  readonly contrast?: number;
  readonly a?: number;
  readonly b?: number;
}

/** A picture with shapes, edges and two groups of colours. */
export function testPicture(seed: number, look: Look = {}): Picture {
  const { width = 64, height = 48, middle = 0.5, contrast = 1, a = 0.05, b = 0.02 } = look;
  const picture = blankPicture(width, height);
  for (let i = 0; i < picture.l.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const form = fractalNoise(x / 14, y / 14, seed, 4) - 0.5;
    const patch = fractalNoise(x / 20, y / 20, seed + 9, 2) > 0.5 ? 1 : -1;
    picture.l[i] = middle + contrast * (form * 0.6 + patch * 0.08);
    picture.a[i] = a + 0.03 * patch;
    picture.b[i] = b - 0.04 * form;
  }
  return picture;
}

/** Equal for equal pictures; comparing the arrays themselves takes an assertion seconds. */
export function fingerprint(picture: Picture): string {
  const hash = createHash('sha1');
  for (const plane of PLANES) hash.update(picture[plane]);
  return hash.digest('hex');
}

export function momentsOf(plane: Float32Array): { readonly mean: number; readonly spread: number } {
  const mean = plane.reduce((sum, value) => sum + value, 0) / plane.length;
  const variance = plane.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.length;
  return { mean, spread: Math.sqrt(variance) };
}
