import type { Size } from './output-size.ts';
import { blankPicture, clamp, coverPixel, mixColours, smoothstep, unitOf } from './picture/picture.ts';
import type { Picture } from './picture/picture.ts';
import { between, createRandom, fractalNoise } from './picture/random.ts';
import { typicalColour, type ColourStatistics } from './style/colours.ts';

/** Invents a landscape in the given colours: the sun, mountain ranges in the haze, firs, and a lake. */
export function paintLandscape({ width, height }: Size, colours: ColourStatistics, seed: number): Picture {
  const random = createRandom(seed);
  const picture = blankPicture(width, height);
  const unit = unitOf(picture);
  const shore = Math.round(height * between(random, 0.68, 0.82));
  const horizon = shore * between(random, 0.5, 0.62);
  paintSky(picture, colours, horizon, seed);
  const layers = 4 + Math.floor(random() * 3);
  for (let layer = 0; layer < layers; layer++) {
    const near = (layer + 1) / layers;
    const base = horizon + (shore - horizon) * (layer / layers) ** 1.15;
    const rise = shore * (0.22 - 0.1 * near);
    const rock = typicalColour(colours, 0.42 * (1 - near));
    const haze = typicalColour(colours, 0.84);
    const top = mixColours(haze, rock, 0.25 + 0.75 * near ** 1.2);
    const foot = mixColours(haze, rock, 0.1 + 0.72 * near ** 1.6);
    const crest = Float32Array.from({ length: width }, (_, x) => {
      const place = layer * 57 + x / (unit * 260);
      // Rugged far away, hilly nearby.
      const peak = 1 - Math.abs(2 * fractalNoise(place, layer * 7.7, seed + 60, 6) - 1);
      const hill = fractalNoise(place, layer * 5.1, seed + 80, 4);
      const firs = near > 0.6 ? firsAt(x / (unit * 13 * near), seed + layer) * unit * 90 * near : 0;
      return base - rise * ((peak * 0.8 * (1 - near) + hill * near) * 2 - 0.6) - firs;
    });
    for (let i = 0; i < width * shore; i++) {
      const below = Math.floor(i / width) + 1 - crest[i % width]!;
      if (below <= 0) continue;
      const faded = clamp((Math.floor(i / width) - base + shore * 0.2) / (height * 0.24), 0, 1);
      coverPixel(picture, i, mixColours(top, foot, faded), Math.min(1, below));
    }
  }
  paintLake(picture, colours, shore, seed);
  return picture;
}

/** Air, the sun with its glow, and clouds down to `horizon`; haze below it. */
function paintSky(picture: Picture, colours: ColourStatistics, horizon: number, seed: number): void {
  const { width } = picture;
  const random = createRandom(seed + 1);
  const unit = unitOf(picture);
  const [sunX, sunY] = [width * between(random, 0.18, 0.82), horizon * between(random, 0.38, 0.86)];
  const radius = unit * between(random, 32, 74);
  const [zenith, haze] = [typicalColour(colours, 0.4), typicalColour(colours, 0.84)];
  const light = mixColours(typicalColour(colours, 1), { l: 0.97, a: 0, b: 0.02 }, 0.5);
  const cloudColour = mixColours(haze, light, 0.55);
  for (let i = 0; i < picture.l.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const depth = Math.min(1, y / horizon);
    coverPixel(picture, i, mixColours(zenith, haze, smoothstep(0, 1, depth) * 0.75 + depth * 0.25), 1);
    const distance = Math.hypot(x - sunX, y - sunY) / radius;
    coverPixel(picture, i, light, Math.exp(-distance * 0.32) * 0.62 * Math.max(0, 1 - distance / 14));
    coverPixel(picture, i, light, smoothstep(1 + 0.9 / radius, 1 - 0.9 / radius, distance));
    if (y > horizon) continue;
    const cloud = smoothstep(0.52, 0.74, fractalNoise(x / (300 * unit), y / (95 * unit), seed + 41, 5));
    coverPixel(picture, i, cloudColour, cloud * 0.5 * (0.35 + 0.65 * depth));
  }
}

/** The outline of firs in groves, 0..1: two rows of them, one fir per unit of `x`. */
function firsAt(x: number, seed: number): number {
  const grove = clamp((fractalNoise(x / 20, 0, seed, 2) - 0.4) * 5, 0, 1);
  const row = (place: number) => {
    const tall = 0.3 + 0.7 * fractalNoise(Math.floor(place), seed, seed, 1);
    const off = Math.abs((place % 1) - 0.5) * 2;
    return tall * (1 - off + (((off * 4) % 1) - 0.5) * 0.16 * off);
  };
  return grove * Math.max(row(x), row(x * 0.77 + 9));
}

/** Still water below `shore`: mirrors what is above it, with ripples that grow towards the viewer. */
function paintLake(picture: Picture, colours: ColourStatistics, shore: number, seed: number): void {
  const { width, height, l, a, b } = picture;
  const deep = typicalColour(colours, 0.16);
  for (let i = shore * width; i < l.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width) - shore];
    const near = y / (height - shore);
    const wave = fractalNoise((x / width) * (60 - 45 * near), (y / height) * (420 - 300 * near), seed, 2) - 0.5;
    const fromX = clamp(Math.round(x + wave * near * width * 0.04), 0, width - 1);
    const fromY = clamp(Math.round(shore - y * 1.4 - wave * near * height * 0.06), 0, shore - 1);
    const from = fromY * width + fromX;
    coverPixel(picture, i, { l: l[from]!, a: a[from]!, b: b[from]! }, 1);
    coverPixel(picture, i, deep, 0.2 + 0.4 * near - 0.35 * wave);
  }
}
