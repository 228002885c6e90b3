import { fractalNoise } from '../picture/noise.ts';
import {
  blankPicture,
  clamp,
  coverPixel,
  mixColours,
  type Colour,
  type Picture,
} from '../picture/picture.ts';
import { between, createRandom, type Random } from '../picture/random.ts';
import { paletteColour } from '../style/palette.ts';
import type { Composition, CompositionSetting } from './composition.ts';
import { paintSky } from './sky.ts';
import { paintWater } from './water.ts';

/** Mountain ranges behind each other in the haze, firs in front. */
export const ridges: Composition = (setting) => mountains(setting, false);

/** The same above still water. */
export const lake: Composition = (setting) => mountains(setting, true);

function mountains(setting: CompositionSetting, withLake: boolean): Picture {
  const { width, height, palette, seed } = setting;
  const random = createRandom(seed);
  const picture = blankPicture(width, height);
  const shore = withLake ? Math.round(height * between(random, 0.66, 0.76)) : height;
  const horizon = shore * between(random, 0.5, 0.62);
  const sky = paintSky(picture, setting, random, horizon);
  const layers = 4 + Math.floor(random() * 3);
  for (let layer = 0; layer < layers; layer++) {
    const near = (layer + 1) / layers;
    const base = horizon + (shore - horizon) * (layer / layers) ** 1.15;
    const rise = shore * (0.22 - 0.1 * near);
    const crest = crestLine(setting, random, layer, { base, rise, rugged: 1 - near });
    if (near > 0.6) plantFirs(crest, setting, random, near);
    const rock = paletteColour(palette, 0.42 * (1 - near));
    fillBelow(picture, crest, shore, {
      crest: mixColours(sky.haze, rock, 0.25 + 0.75 * near ** 1.2),
      foot: mixColours(sky.haze, rock, 0.1 + 0.72 * near ** 1.6),
      top: base - rise,
      fade: height * 0.24,
    });
  }
  if (withLake) {
    paintWater(picture, setting, { shore, sky, depth: paletteColour(palette, 0.16), roughness: 0.55 });
  }
  return picture;
}

/** The height of a range above each column, as the y of its crest. */
function crestLine(
  { width, unit, seed }: CompositionSetting,
  random: Random,
  layer: number,
  shape: { readonly base: number; readonly rise: number; readonly rugged: number },
): Float32Array {
  const crest = new Float32Array(width);
  const scale = unit * between(random, 190, 330);
  const offset = random() * 1000;
  for (let x = 0; x < width; x++) {
    const peak = 1 - Math.abs(2 * fractalNoise(offset + x / scale, layer * 7.7, seed + 60 + layer, 6) - 1);
    const hill = fractalNoise(offset + x / scale, layer * 5.1, seed + 80 + layer, 4);
    const form = shape.rugged * peak * 0.8 + (1 - shape.rugged) * hill;
    crest[x] = shape.base - shape.rise * (form * 2 - 0.6);
  }
  return crest;
}

function plantFirs(
  crest: Float32Array,
  { unit, width, seed }: CompositionSetting,
  random: Random,
  near: number,
): void {
  const ground = crest.slice();
  const size = unit * (18 + 62 * (near - 0.6) * 2.5);
  const groves = between(random, 0.36, 0.5);
  for (let x = -size; x < width + size; x += size * between(random, 0.16, 0.42)) {
    const grove = fractalNoise(x / (unit * 210), near * 50, seed + 90, 2);
    const tall = size * between(random, 0.55, 1.15) * clamp((grove - groves) * 6, 0, 1);
    if (tall < unit * 3) continue;
    const half = tall * 0.2;
    const foot = ground[clamp(Math.round(x), 0, width - 1)]!;
    for (let column = Math.max(0, Math.ceil(x - half)); column <= Math.min(width - 1, x + half); column++) {
      const off = Math.abs(column - x) / half;
      // Branches: the slope is a saw.
      const branch = (((off * 5) % 1) - 0.5) * 0.14 * off;
      const top = foot + tall * 0.08 - tall * (1 - off + branch);
      if (top < crest[column]!) crest[column] = top;
    }
  }
}

function fillBelow(
  picture: Picture,
  crest: Float32Array,
  bottom: number,
  colours: { readonly crest: Colour; readonly foot: Colour; readonly top: number; readonly fade: number },
): void {
  const { width } = picture;
  for (let x = 0; x < width; x++) {
    const top = crest[x]!;
    for (let y = Math.max(0, Math.floor(top)); y < bottom; y++) {
      const colour = mixColours(colours.crest, colours.foot, clamp((y - colours.top) / colours.fade, 0, 1));
      coverPixel(picture, y * width + x, colour, clamp(y + 1 - top, 0, 1));
    }
  }
}
