import { blur } from '../picture/blur.ts';
import { noisePlane, whiteNoise } from '../picture/noise.ts';
import { blankPicture, clamp, smoothstep, type Picture } from '../picture/picture.ts';
import { kuwahara } from './kuwahara.ts';
import type { Treatment } from './treatment.ts';

/**
 * Watercolour on rough paper (after Bousseau et al. 2006): flat washes with wobbling borders, pigment that gathers
 * at their edges and pools in the paper's hollows, and white paper where the picture is light.
 */
export const watercolor: Treatment = (picture, { unit, seed, surface }) => {
  const { width, height } = picture;
  const size = unit * surface.coarseness;
  const washes = kuwahara(
    kuwahara(wobble(picture, 5 * size, 34 * size, seed), Math.max(1.5, 6.5 * size)),
    Math.max(1.5, 3.5 * size),
  );
  const edges = pigmentEdges(washes, Math.max(0.7, 1.6 * unit));
  const pools = noisePlane(width, height, { scale: 150 * unit, seed: seed + 11, octaves: 4 });
  const grain = paperGrain(width, height, unit, seed);
  for (let i = 0; i < washes.l.length; i++) {
    const density = 1 + 1.5 * (pools[i]! - 0.5) + 0.9 * (grain[i]! - 0.5) + 1.1 * edges[i]!;
    const lightness = smoothstepLight(washes.l[i]!);
    // Beer-Lambert in the small: more pigment, darker and more colourful, and none of it on white paper.
    washes.l[i] = clamp(lightness - (lightness - lightness * lightness) * (density - 1) * 0.75, 0, 0.985);
    const strength =
      clamp(0.85 + 0.45 * (density - 0.6), 0.4, 1.7) * (1 - 0.9 * smoothstep(0.9, 1, lightness));
    washes.a[i]! *= strength;
    washes.b[i]! *= strength;
  }
  return washes;
};

/** Lifts tones towards paper white without losing the darks. */
function smoothstepLight(lightness: number): number {
  return clamp(0.16 + 0.88 * lightness + 0.1 * smoothstep(0.55, 0.9, lightness), 0, 1);
}

/** Moves every pixel a little, neighbours alike, as an unsteady hand does. */
function wobble(picture: Picture, reach: number, scale: number, seed: number): Picture {
  const { width, height } = picture;
  const shiftX = noisePlane(width, height, { scale, seed: seed + 1, octaves: 2 });
  const shiftY = noisePlane(width, height, { scale, seed: seed + 5, octaves: 2 });
  const result = blankPicture(width, height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const fromX = clamp(Math.round(x + (shiftX[i]! - 0.5) * 2 * reach), 0, width - 1);
      const fromY = clamp(Math.round(y + (shiftY[i]! - 0.5) * 2 * reach), 0, height - 1);
      const from = fromY * width + fromX;
      result.l[i] = picture.l[from]!;
      result.a[i] = picture.a[from]!;
      result.b[i] = picture.b[from]!;
    }
  }
  return result;
}

function pigmentEdges(washes: Picture, sigma: number): Float32Array {
  const { width, height } = washes;
  const smooth = blur(washes.l, width, height, sigma);
  const edges = new Float32Array(smooth.length);
  for (let y = 0, i = 0; y < height; y++) {
    const up = y > 0 ? width : 0;
    const down = y < height - 1 ? width : 0;
    for (let x = 0; x < width; x++, i++) {
      const dx = smooth[x < width - 1 ? i + 1 : i]! - smooth[x > 0 ? i - 1 : i]!;
      const dy = smooth[i + down]! - smooth[i - up]!;
      edges[i] = Math.min(1, Math.sqrt(dx * dx + dy * dy) * 9 * sigma);
    }
  }
  return edges;
}

function paperGrain(width: number, height: number, unit: number, seed: number): Float32Array {
  const fibre = noisePlane(width, height, { scale: Math.max(1.5, 5 * unit), seed: seed + 21, octaves: 2 });
  const tooth = blur(whiteNoise(width, height, seed + 31), width, height, Math.max(0.5, 0.8 * unit));
  for (let i = 0; i < fibre.length; i++) fibre[i] = 0.55 * fibre[i]! + 0.45 * (0.5 + (tooth[i]! - 0.5) * 2);
  return fibre;
}
