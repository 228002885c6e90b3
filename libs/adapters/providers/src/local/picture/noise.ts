import { hashPoint } from './random.ts';

const { floor } = Math;

const TO_UNIT = 1 / 4294967295;

/** Smooth noise, 0..1, with about one bump a unit of `x` and `y`. */
export function noise(x: number, y: number, seed: number): number {
  const left = floor(x);
  const top = floor(y);
  const fx = x - left;
  const fy = y - top;
  const u = fx * fx * (3 - 2 * fx);
  const v = fy * fy * (3 - 2 * fy);
  const upper = hashPoint(left, top, seed) * (1 - u) + hashPoint(left + 1, top, seed) * u;
  const lower = hashPoint(left, top + 1, seed) * (1 - u) + hashPoint(left + 1, top + 1, seed) * u;
  return (upper + (lower - upper) * v) * TO_UNIT;
}

/** Noise with detail at every scale: each octave has twice the frequency and half the weight. About 0..1. */
export function fractalNoise(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  for (let octave = 0; octave < octaves; octave++) {
    sum += noise(x, y, seed + octave) * weight;
    total += weight;
    weight *= 0.5;
    // Turning the grid of each octave hides its axes.
    const turned = x * 1.6 - y * 1.2 + 17.3;
    y = x * 1.2 + y * 1.6 + 9.1;
    x = turned;
  }
  return sum / total;
}

/** Fractal noise for every pixel, `scale` pixels a bump. */
export function noisePlane(
  width: number,
  height: number,
  options: { readonly scale: number; readonly seed: number; readonly octaves: number },
): Float32Array {
  // Where the finest bump spans many pixels, every few of them are enough.
  const finest = options.scale / 2 ** (options.octaves - 1);
  const cell = Math.max(1, Math.floor(finest / 4));
  const columns = Math.ceil(width / cell) + 1;
  const rows = Math.ceil(height / cell) + 1;
  const coarse = new Float32Array(columns * rows);
  const step = cell / options.scale;
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, i++) {
      coarse[i] = fractalNoise(x * step, y * step, options.seed, options.octaves);
    }
  }
  return enlarge(coarse, columns, cell, width, height);
}

/** Fills `width` × `height` pixels from a grid with one value every `cell` pixels. */
function enlarge(
  grid: Float32Array,
  columns: number,
  cell: number,
  width: number,
  height: number,
): Float32Array {
  const plane = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / cell);
    const v = y / cell - row;
    for (let x = 0; x < width; x++, i++) {
      const column = (x / cell) | 0;
      const u = x / cell - column;
      const place = row * columns + column;
      const upper = grid[place]! + (grid[place + 1]! - grid[place]!) * u;
      const below = place + columns;
      const lower = grid[below]! + (grid[below + 1]! - grid[below]!) * u;
      plane[i] = upper + (lower - upper) * v;
    }
  }
  return plane;
}

/** Independent noise for every pixel, 0..1. */
export function whiteNoise(width: number, height: number, seed: number): Float32Array {
  const plane = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) plane[i] = hashPoint(x, y, seed) * TO_UNIT;
  }
  return plane;
}
