/** Chance that comes the same again from the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `below - 1`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  /** Another sequence, which belongs to `name`. */
  fork(name: string): Chance {
    let seed = this.#state;
    for (const letter of name) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) >>> 0;
    return new Chance(seed);
  }
}
