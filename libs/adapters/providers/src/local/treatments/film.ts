import { blur } from '../picture/blur.ts';
import { whiteNoise } from '../picture/noise.ts';
import { copyPicture, clamp, smoothstep } from '../picture/picture.ts';
import type { Treatment } from './treatment.ts';

/** Photographic film: glow around lights, a soft shoulder and toe, grain that shows most in middle tones, a dark rim. */
export const film: Treatment = (picture, { unit, seed }) => {
  const { width, height } = picture;
  const result = copyPicture(picture);
  const lights = new Float32Array(picture.l.length);
  for (let i = 0; i < lights.length; i++) lights[i] = smoothstep(0.72, 1, picture.l[i]!);
  const glow = blur(lights, width, height, Math.max(1, 14 * unit));
  const grain = blur(whiteNoise(width, height, seed), width, height, Math.max(0.5, 0.75 * unit));
  const middleX = (width - 1) / 2;
  const middleY = (height - 1) / 2;
  const corner = middleX * middleX + middleY * middleY + 1;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const rim = ((x - middleX) ** 2 + (y - middleY) ** 2) / corner;
      const bloom = glow[i]! * (1 - result.l[i]!);
      const toned = 0.03 + 0.95 * (result.l[i]! + 0.12 * (smoothstep(0, 1, result.l[i]!) - result.l[i]!) * 2);
      const noisy = (grain[i]! - 0.5) * 0.3 * (0.35 + 2.6 * toned * (1 - toned));
      result.l[i] = clamp(toned + bloom * 0.35 + noisy - rim * rim * 0.13, 0, 1);
      // Light that spreads in the emulsion comes back warm.
      result.a[i]! += bloom * 0.03;
      result.b[i]! += bloom * 0.04;
    }
  }
  return result;
};
