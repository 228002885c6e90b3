import {
  DomainError,
  type BatchJobs,
  type Clock,
  type Job,
  type JobName,
  type JobPayloads,
  type Jobs,
} from '../index.ts';

/** The timers of Node that go on where a test fakes the others, or the date. */
export const REAL_TIMERS = [
  ...(['setTimeout', 'setImmediate', 'clearTimeout', 'clearImmediate'] as const),
  ...(['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const),
];

/** A clock that changes only by `advance`. */
export class ManualClock implements Clock {
  #now: Date;
  #uptime = 0;

  constructor(start = new Date('2026-03-14T09:26:53.589Z')) {
    this.#now = start;
  }

  now(): Date {
    return this.#now;
  }

  advance(seconds: number): void {
    this.step(seconds);
    this.#uptime += seconds;
  }

  /** Sets the clock, without time that passes. */
  step(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }

  /** Seconds that have passed. */
  uptime(): number {
    return this.#uptime;
  }
}

/** Records the announced jobs, in order. */
export class RecordedJobs implements Jobs, BatchJobs {
  readonly announced: Array<Job & { readonly delaySeconds: number; readonly bulk: boolean }> = [];

  async announce(job: Job, options: Parameters<Jobs['announce']>[1] = {}): Promise<void> {
    const { delaySeconds = 0, bulk = false } = options;
    this.announced.push({ ...job, delaySeconds, bulk });
  }

  async announceAll<Name extends JobName>(
    name: Name,
    payloads: readonly JobPayloads[Name][],
    workspaceId: number,
  ): Promise<void> {
    for (const payload of payloads) await this.announce({ name, payload, workspaceId } as Job);
  }

  /** Jobs are recorded without their batch: none is withdrawn. */
  async withdraw(): Promise<void> {}
}

/** The error of the domain that `act` throws. */
export function refusal(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The error of the domain that a call rejects with. */
export async function refused(call: Promise<unknown>): Promise<DomainError> {
  const error: unknown = await call.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw error;
}

/** `allowed`, or the code of the error that `act` throws. */
export function verdictOf(act: () => unknown): string {
  try {
    act();
    return 'allowed';
  } catch (error) {
    return (error as DomainError).code;
  }
}
