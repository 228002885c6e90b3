import { THOROUGH } from './thorough.ts';

/** How often a race is run: `ROUNDS` times for a long search. */
export function rounds(): number {
  return Number(process.env.ROUNDS ?? (THOROUGH ? 20 : 3));
}
