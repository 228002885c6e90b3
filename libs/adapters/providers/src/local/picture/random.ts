import { smoothstep } from './picture.ts';

// Looked up once: in Jest's virtual machine each access to a global costs more than the multiplication.
const { imul, floor } = Math;

/** The next number of a repeatable sequence, 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[floor(random() * items.length)]!;
}

/** FNV-1a, 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** 32 bits that depend on all three numbers. */
export function hashPoint(x: number, y: number, seed: number): number {
  let hash = imul(x, 0x27d4eb2d) ^ imul(y, 0x165667b1) ^ imul(seed, 0x9e3779b1);
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Value noise with detail at every scale, about 0..1: each octave has twice the frequency and half the weight. */
export function fractalNoise(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let total = 0;
  for (let octave = 0, weight = 1; octave < octaves; octave++, weight /= 2) {
    sum += valueNoise(x, y, seed + octave) * weight;
    total += weight;
    // Rotating each octave hides the axes of the grid.
    const rotated = x * 1.6 - y * 1.2 + 17.3;
    y = x * 1.2 + y * 1.6 + 9.1;
    x = rotated;
  }
  return sum / total;
}

function valueNoise(x: number, y: number, seed: number): number {
  const left = floor(x);
  const top = floor(y);
  const u = smoothstep(left, left + 1, x);
  const v = smoothstep(top, top + 1, y);
  const upper = hashPoint(left, top, seed) * (1 - u) + hashPoint(left + 1, top, seed) * u;
  const lower = hashPoint(left, top + 1, seed) * (1 - u) + hashPoint(left + 1, top + 1, seed) * u;
  return (upper + (lower - upper) * v) / 4294967295;
}
