import type { Chance } from './chance.ts';

/**
 * What is done to the service. `freeze worker` stops it for longer than its lock on a job lasts; `take storage away`
 * lets every call to the store fail, `hang disk` lets every write wait, for some seconds.
 */
export type Fault =
  | 'kill worker'
  | 'kill API'
  | 'kill database'
  | 'restart database'
  | 'freeze worker'
  | 'kill renderer'
  | 'freeze renderer'
  | 'redeliver jobs'
  | 'take storage away'
  | 'fill disk'
  | 'hang disk'
  | 'jump clock';

/** So many moments, in order, that the seed decides; in seconds from the start. */
export function momentsOf(count: number, seconds: number, chance: Chance): readonly number[] {
  return Array.from({ length: count }, () => 1 + chance.next() * seconds).sort((a, b) => a - b);
}
