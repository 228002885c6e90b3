import type { Chance } from './chance.ts';

/** What is done to the service: `freeze` stops a worker for longer than its lock on a job lasts. */
export type Fault =
  'kill worker' | 'kill API' | 'kill database' | 'restart database' | 'freeze worker' | 'redeliver jobs';

export interface PlannedFault {
  readonly atSeconds: number;
  readonly fault: Fault;
}

/** So many of each, in an order and at moments that the seed decides. */
export function scheduleOf(
  counts: Readonly<Record<Fault, number>>,
  seconds: number,
  chance: Chance,
): readonly PlannedFault[] {
  return Object.entries(counts)
    .flatMap(([fault, count]) =>
      Array.from({ length: count }, () => ({
        fault: fault as Fault,
        atSeconds: 1 + chance.next() * seconds,
      })),
    )
    .sort((a, b) => a.atSeconds - b.atSeconds);
}
