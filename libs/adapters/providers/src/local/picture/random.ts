// Looked up once: inside Jest's virtual machine each look at a global costs more than the multiplication.
const { imul } = Math;

/** The next number of a repeatable sequence, 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** mulberry32: 32 bits of state, passes the usual tests, one multiplication a number. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** 32 bits that depend on all of `text` and on `seed`. */
export function hashText(text: string, seed = 0): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let i = 0; i < text.length; i++) hash = imul(hash ^ text.charCodeAt(i), 0x01000193);
  return finishHash(hash);
}

/** A seed that depends on both. */
export function combineSeeds(one: number, other: number): number {
  return finishHash(one ^ imul(other + 1, 0x9e3779b1));
}

export function hashPoint(x: number, y: number, seed: number): number {
  return finishHash(imul(x, 0x27d4eb2d) ^ imul(y, 0x165667b1) ^ imul(seed, 0x9e3779b1));
}

function finishHash(hash: number): number {
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

/** 0..count-1 in random order. */
export function shuffledIndices(random: Random, count: number): Uint32Array {
  const indices = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const other = indices[j]!;
    indices[j] = indices[i]!;
    indices[i] = other;
  }
  return indices;
}
