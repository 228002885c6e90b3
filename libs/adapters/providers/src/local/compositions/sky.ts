import { noisePlane } from '../picture/noise.ts';
import {
  coverPixel,
  mixColours,
  setColour,
  smoothstep,
  type Colour,
  type Picture,
} from '../picture/picture.ts';
import { between, type Random } from '../picture/random.ts';
import { paletteColour } from '../style/palette.ts';
import type { CompositionSetting } from './composition.ts';

export interface Sky {
  /** Where the sun or moon stands, and its radius, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly light: Colour;
  /** The colour of the air just above the horizon. */
  readonly haze: Colour;
}

/** Fills a picture with sky down to `horizon` (pixels) and the haze below it. */
export function paintSky(
  picture: Picture,
  setting: CompositionSetting,
  random: Random,
  horizon: number,
): Sky {
  const { width, height, unit, palette, seed } = setting;
  const zenith = paletteColour(palette, 0.4);
  const haze = paletteColour(palette, 0.84);
  const light = mixColours(paletteColour(palette, 1), { l: 0.97, a: 0, b: 0.02 }, 0.5);
  const sky: Sky = {
    x: width * between(random, 0.18, 0.82),
    y: horizon * between(random, 0.38, 0.86),
    radius: unit * between(random, 32, 74),
    light,
    haze,
  };
  const stretch = between(random, 2.2, 4);
  const cover = between(random, 0.5, 0.62);
  const clouds = noisePlane(Math.ceil(width / stretch) + 1, height, {
    scale: 95 * unit,
    seed: seed + 41,
    octaves: 5,
  });
  const cloudColumns = Math.ceil(width / stretch) + 1;
  const cloudColour = mixColours(haze, light, 0.55);
  for (let y = 0, i = 0; y < height; y++) {
    const depth = Math.min(1, y / Math.max(1, horizon));
    const air = mixColours(zenith, haze, smoothstep(0, 1, depth) * 0.75 + depth * 0.25);
    for (let x = 0; x < width; x++, i++) {
      setColour(picture, i, air);
      const distance = Math.hypot(x - sky.x, y - sky.y) / sky.radius;
      const glow = distance > 14 ? 0 : Math.exp(-distance * 0.32) * (1 - distance / 14);
      coverPixel(picture, i, light, glow * 0.62);
      const cloud = smoothstep(cover, cover + 0.2, clouds[y * cloudColumns + Math.floor(x / stretch)]!);
      const disc = smoothstep(1 + 0.9 / sky.radius, 1 - 0.9 / sky.radius, distance);
      coverPixel(picture, i, light, disc);
      coverPixel(picture, i, cloudColour, cloud * 0.55 * (1 - 0.5 * disc) * (0.35 + 0.65 * depth));
    }
  }
  return sky;
}
