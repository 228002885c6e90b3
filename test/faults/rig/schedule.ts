import type { Chance } from './chance.ts';

/** What is done to the service: `freeze` stops a worker for longer than its lock on a job lasts. */
export type Fault =
  'kill worker' | 'kill API' | 'kill database' | 'restart database' | 'freeze worker' | 'redeliver jobs';

/** So many moments, in order, that the seed decides; in seconds from the start. */
export function momentsOf(count: number, seconds: number, chance: Chance): readonly number[] {
  return Array.from({ length: count }, () => 1 + chance.next() * seconds).sort((a, b) => a - b);
}
