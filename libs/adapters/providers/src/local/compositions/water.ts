import { noise } from '../picture/noise.ts';
import {
  clamp,
  colourAt,
  coverPixel,
  mixColours,
  setColour,
  smoothstep,
  type Colour,
  type Picture,
} from '../picture/picture.ts';
import type { CompositionSetting } from './composition.ts';
import type { Sky } from './sky.ts';

/** Below `shore` (pixels) puts still water that mirrors what lies above it, with ripples and the light's path. */
export function paintWater(
  picture: Picture,
  setting: CompositionSetting,
  options: { readonly shore: number; readonly sky: Sky; readonly depth: Colour; readonly roughness: number },
): void {
  const { width, height, unit, seed } = setting;
  const { shore, sky, depth, roughness } = options;
  for (let y = Math.ceil(shore); y < height; y++) {
    const near = (y - shore) / Math.max(1, height - shore);
    // Waves look longer and taller the nearer they are.
    const waveHeight = (1.1 + 8 * near) * unit;
    const waveLength = (11 + 66 * near) * unit;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const v = (y - shore) / waveHeight;
      const wave =
        noise(x / waveLength, v + 31 * near, seed + 71) * 0.65 +
        noise((x / waveLength) * 2.3, v * 2.1, seed + 72) * 0.35;
      const fromX = clamp(Math.round(x + (wave - 0.5) * 46 * roughness * (0.25 + near) * unit), 0, width - 1);
      const fromY = clamp(
        Math.round(shore - (y - shore) * 0.92 - (wave - 0.5) * 60 * roughness * near * unit),
        0,
        shore - 1,
      );
      // The sun's disc comes back as its path of sparkles, not as a disc.
      const mirrored = colourAt(picture, fromY * width + fromX);
      setColour(picture, i, mirrored.l > sky.haze.l ? sky.haze : mirrored);
      coverPixel(picture, i, depth, (0.22 + 0.5 * near) * (0.72 + 0.56 * (0.5 - wave) * roughness));
      const path = Math.abs(x - sky.x) / (sky.radius * (0.6 + 1.8 * near));
      const sparkle = smoothstep(0.46 + 0.16 * path, 0.58 + 0.16 * path, wave) * Math.exp(-path * path * 0.5);
      coverPixel(picture, i, mixColours(sky.haze, sky.light, 0.8), sparkle * 0.8);
    }
  }
}
