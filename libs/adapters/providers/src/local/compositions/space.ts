import { fractalNoise, noisePlane } from '../picture/noise.ts';
import {
  blankPicture,
  clamp,
  coverPixel,
  mixColours,
  setColour,
  smoothstep,
  type Colour,
  type Picture,
} from '../picture/picture.ts';
import { between, createRandom, type Random } from '../picture/random.ts';
import { accentOf, paletteColour } from '../style/palette.ts';
import type { Composition, CompositionSetting } from './composition.ts';

/** A nebula with stars, and a planet in front of it. */
export const space: Composition = (setting) => {
  const { width, height, palette } = setting;
  const random = createRandom(setting.seed);
  const picture = blankPicture(width, height);
  const accent = accentOf(palette);
  const night = mixColours({ l: 0.1, a: 0, b: -0.03 }, paletteColour(palette, 0), 0.35);
  const gas = paletteColour(palette, 0.5);
  const glow = paletteColour(palette, 0.9);
  const clouds = nebula(setting);
  const veins = noisePlane(width, height, { scale: 120 * setting.unit, seed: setting.seed + 5, octaves: 5 });
  for (let i = 0; i < clouds.length; i++) {
    const dense = smoothstep(0.36, 0.78, clouds[i]!);
    const dust = smoothstep(0.45, 0.7, veins[i]!);
    setColour(picture, i, night);
    coverPixel(picture, i, { ...gas, l: Math.min(gas.l, 0.5) }, dense * 0.85);
    coverPixel(picture, i, { ...accent, l: clamp(accent.l, 0.45, 0.7) }, dense * dust * 0.7);
    coverPixel(picture, i, glow, smoothstep(0.62, 0.86, clouds[i]!) * 0.75);
  }
  scatterStars(picture, setting, random);
  if (random() < 0.75) planet(picture, setting, random);
  return picture;
};

/** Clouds whose place is itself moved by clouds, so that they form filaments. */
function nebula({ width, height, unit, seed }: CompositionSetting): Float32Array {
  const bendX = noisePlane(width, height, { scale: 330 * unit, seed: seed + 1, octaves: 3 });
  const bendY = noisePlane(width, height, { scale: 330 * unit, seed: seed + 2, octaves: 3 });
  const clouds = new Float32Array(width * height);
  const step = 1 / (270 * unit);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      clouds[i] = fractalNoise(x * step + bendX[i]! * 2.6, y * step + bendY[i]! * 2.6, seed + 3, 4);
    }
  }
  return clouds;
}

function scatterStars(picture: Picture, { unit }: CompositionSetting, random: Random): void {
  const { width, height } = picture;
  const count = Math.round((width * height) / (unit * unit) / 900);
  for (let star = 0; star < count; star++) {
    const size = unit * (0.5 + 2.4 * random() ** 9);
    const warmth = between(random, -1, 1);
    const colour = { l: 0.97, a: warmth * 0.015, b: warmth * 0.035 };
    softDot(picture, random() * width, random() * height, size, colour, between(random, 0.35, 1));
  }
}

function softDot(
  picture: Picture,
  x: number,
  y: number,
  size: number,
  colour: Colour,
  brightness: number,
): void {
  const reach = Math.max(1, size * 3.5);
  for (let py = Math.max(0, Math.ceil(y - reach)); py <= Math.min(picture.height - 1, y + reach); py++) {
    for (let px = Math.max(0, Math.ceil(x - reach)); px <= Math.min(picture.width - 1, x + reach); px++) {
      const distance = Math.hypot(px - x, py - y) / Math.max(0.7, size);
      coverPixel(picture, py * picture.width + px, colour, brightness * Math.exp(-distance * distance * 0.9));
    }
  }
}

function planet(
  picture: Picture,
  { width, height, unit, palette, seed }: CompositionSetting,
  random: Random,
): void {
  const radius = Math.min(width, height) * between(random, 0.13, 0.27);
  const x = width * between(random, 0.22, 0.78);
  const y = height * between(random, 0.25, 0.75);
  const towards = between(random, 0, 2 * Math.PI);
  const lightX = Math.cos(towards) * 0.8;
  const lightY = Math.sin(towards) * 0.8;
  const tilt = between(random, -0.5, 0.5);
  const body = paletteColour(palette, 0.62);
  const bands = paletteColour(palette, 0.3);
  const rim = Math.max(1, 1.2 * unit);
  for (let py = Math.max(0, Math.floor(y - radius)); py <= Math.min(height - 1, y + radius); py++) {
    for (let px = Math.max(0, Math.floor(x - radius)); px <= Math.min(width - 1, x + radius); px++) {
      const u = (px - x) / radius;
      const v = (py - y) / radius;
      const distance = Math.hypot(u, v);
      if (distance >= 1) continue;
      const w = Math.sqrt(1 - distance * distance);
      const latitude = v * Math.cos(tilt) - u * Math.sin(tilt);
      const weather = fractalNoise(u * 1.6 + 5, latitude * 9, seed + 8, 4);
      const lit = clamp(u * lightX + v * lightY + w * 0.6, 0, 1);
      const surface = mixColours(body, bands, smoothstep(0.35, 0.65, weather));
      const shaded = {
        l: surface.l * (0.12 + 0.95 * lit) + 0.1 * (1 - w) * lit,
        a: surface.a * (0.3 + lit),
        b: surface.b * (0.3 + lit),
      };
      coverPixel(picture, py * width + px, shaded, clamp(((1 - distance) * radius) / rim, 0, 1));
    }
  }
}
