import { describe, expect, it } from '@jest/globals';
import { createRandom, hashText, shuffledIndices } from './random.ts';

describe('chance', () => {
  it('repeats itself for the same seed, and only then', () => {
    const numbers = (seed: number) => Array.from({ length: 5 }, createRandom(seed));
    expect(numbers(3)).toEqual(numbers(3));
    expect(numbers(3)).not.toEqual(numbers(4));
  });

  it('is spread evenly from 0 to 1', () => {
    const random = createRandom(1);
    const tenths = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) tenths[Math.floor(random() * 10)]!++;
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('shuffles without losing anything', () => {
    const shuffled = shuffledIndices(createRandom(1), 100);
    expect([...shuffled].sort((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect([...shuffled]).not.toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('hashes texts that differ a little to numbers that differ a lot', () => {
    expect(Math.abs(hashText('a') - hashText('b'))).toBeGreaterThan(1000);
    expect(hashText('a', 1)).not.toBe(hashText('a', 2));
  });
});
