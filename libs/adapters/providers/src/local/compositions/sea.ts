import { fractalNoise } from '../picture/noise.ts';
import { blankPicture, clamp, coverPixel, mixColours } from '../picture/picture.ts';
import { between, createRandom } from '../picture/random.ts';
import { paletteColour } from '../style/palette.ts';
import type { Composition } from './composition.ts';
import { paintSky } from './sky.ts';
import { paintWater } from './water.ts';

/** Open water under a low sun, with islands on the horizon. */
export const sea: Composition = (setting) => {
  const { width, height, unit, palette, seed } = setting;
  const random = createRandom(seed);
  const picture = blankPicture(width, height);
  const shore = Math.round(height * between(random, 0.46, 0.6));
  const sky = paintSky(picture, setting, random, shore);
  for (let island = 0; island < 2; island++) {
    const land = mixColours(sky.haze, paletteColour(palette, 0.1), 0.4 + 0.3 * island);
    const scale = unit * between(random, 170, 300);
    const offset = random() * 1000;
    const tall = shore * between(random, 0.22, 0.38);
    for (let x = 0; x < width; x++) {
      const n = fractalNoise(offset + x / scale, island * 9.3, seed + 50, 5);
      const top = shore - tall * Math.max(0, n - 0.5);
      for (let y = Math.max(0, Math.floor(top)); y < shore; y++) {
        coverPixel(picture, y * width + x, land, clamp(y + 1 - top, 0, 1));
      }
    }
  }
  paintWater(picture, setting, { shore, sky, depth: paletteColour(palette, 0.2), roughness: 1 });
  return picture;
};
