import { blur, type Picture } from './picture.ts';

// Looked up once: in Jest's virtual machine each access to a global costs more than the multiplication.
const { imul } = Math;

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

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

/** A plane of smooth noise around 0 with a standard deviation of about 1; its blotches are about `size` pixels wide. */
export function noisePlane({ width, height }: Pick<Picture, 'width' | 'height'>, size: number, random: Random) {
  const noise = Float32Array.from({ length: width * height }, () => random() - 0.5);
  // A blur leaves 1 / (2 √π size) of the deviation of independent pixels, which is 1 / √12.
  const gain = Math.sqrt(12) * Math.max(1, 2 * Math.sqrt(Math.PI) * size);
  return blur(noise, width, size).map((value) => value * gain);
}
