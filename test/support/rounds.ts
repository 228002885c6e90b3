import { it } from '@jest/globals';
import { THOROUGH } from './thorough.ts';

/** How often a race is run: `ROUNDS` times for a long search. */
export function rounds(): number {
  return Number(process.env.ROUNDS ?? (THOROUGH ? 20 : 3));
}

/** Runs a race that often. */
export async function inRounds(race: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < rounds(); round++) await race(round);
}

/** A test of a race. */
export function itInRounds(name: string, race: (round: number) => Promise<unknown>): void {
  it(name, () => inRounds(race));
}
