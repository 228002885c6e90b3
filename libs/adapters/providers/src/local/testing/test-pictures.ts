import { createHash } from 'node:crypto';
import { fractalNoise } from '../picture/noise.ts';
import { blankPicture, type Picture } from '../picture/picture.ts';

/** A picture with forms, edges and two families of colours, which lie about `middle` with the spread `contrast`. */
export function testPicture(
  seed: number,
  options: {
    width?: number;
    height?: number;
    middle?: number;
    contrast?: number;
    a?: number;
    b?: number;
  } = {},
): Picture {
  const { width = 64, height = 48, middle = 0.5, contrast = 1, a = 0.05, b = 0.02 } = options;
  const picture = blankPicture(width, height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const form = fractalNoise(x / 14, y / 14, seed, 4) - 0.5;
      const patch = fractalNoise(x / 20, y / 20, seed + 9, 2) > 0.5 ? 1 : -1;
      picture.l[i] = middle + contrast * (form * 0.6 + patch * 0.08);
      picture.a[i] = a + 0.03 * patch;
      picture.b[i] = b - 0.04 * form;
    }
  }
  return picture;
}

/** Equal for equal pictures: comparing a hundred thousand numbers one by one takes an assertion seconds. */
export function fingerprint({ l, a, b }: Picture): string {
  const hash = createHash('sha1');
  for (const plane of [l, a, b]) hash.update(plane);
  return hash.digest('hex');
}
