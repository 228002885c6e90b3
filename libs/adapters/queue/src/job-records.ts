import { sql, type Expression } from 'kysely';
import { Batches, build, prepared, type Database } from '#adapters/postgres';
import type { Clock, JobName, JobPayloads } from '#kernel';
import type { PendingJob } from './outbox.ts';
import type { Delivery } from './queues.ts';

/** A job that was just started. */
export interface StartedJob {
  readonly id: number;
  readonly name: JobName;
  readonly payload: JobPayloads[JobName];
  /** How often it was started, this time included: its fencing number. */
  readonly attempts: number;
  readonly failures: number;
  readonly crashes: number;
}

type Attempt = Pick<StartedJob, 'id' | 'attempts'>;

/**
 * The rows of jobs that run. The starts of many jobs share a statement, and so do their ends: for small jobs these are
 * most of the work.
 */
export class JobRecords {
  readonly #starts = new Batches((deliveries: readonly Delivery[]) => this.#startAll(deliveries));
  readonly #ends = new Batches((attempts: readonly Attempt[]) => this.#removeAll(attempts));

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Counts a start, and a crash where an earlier start did not end. `null` for a job that is done. */
  start(delivery: Delivery): Promise<StartedJob | null> {
    return this.#starts.add(delivery);
  }

  /** Deletes a job that is done or given up, unless a later attempt has it. */
  remove({ id, attempts }: StartedJob): Promise<void> {
    return this.#ends.add({ id, attempts });
  }

  /** @returns the job as it has to be added to its queue; `null` when a later attempt has it */
  retry({ id, attempts: attempt }: StartedJob, error: unknown, afterSeconds: number): Promise<PendingJob | null> {
    const due_at = new Date(this.clock.now().getTime() + afterSeconds * 1000);
    const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : 'unknown';
    return this.database.one(REDELIVER, { id, attempt, delivery: null, due_at, failures: 1, crashes: 0, reason });
  }

  /**
   * @param attempt the attempt that hands the job back; `null` for a delivery that was never started
   * @param options.crashed whether it counts as a crash
   * @returns the job as it has to be added to its queue; `null` when another delivery or attempt has it
   */
  handBack(
    { jobId: id, delivery }: Delivery,
    attempt: number | null,
    { crashed = false } = {},
  ): Promise<PendingJob | null> {
    const counts = { failures: 0, crashes: crashed ? 1 : 0 };
    return this.database.one(REDELIVER, { id, attempt, delivery, due_at: this.clock.now(), ...counts, reason: null });
  }

  async #startAll(deliveries: readonly Delivery[]): Promise<(StartedJob | null)[]> {
    const started = new Map<Delivery, StartedJob>();
    for (let rest = deliveries; rest.length > 0;) {
      // Each start has its own number, so that a job that is delivered twice needs two statements.
      const batch = new Map(rest.map((delivery) => [delivery.jobId, delivery]));
      const asked = [...batch.values()];
      const rows = await this.database.run(START, {
        ids: asked.map(({ jobId }) => jobId),
        numbers: asked.map(({ delivery }) => delivery),
        now: this.clock.now(),
      });
      for (const row of rows) started.set(batch.get(row.id)!, row);
      rest = rest.filter((delivery) => batch.get(delivery.jobId) !== delivery);
    }
    return deliveries.map((delivery) => started.get(delivery) ?? null);
  }

  async #removeAll(ended: readonly Attempt[]): Promise<void[]> {
    const asked = { ids: ended.map(({ id }) => id), numbers: ended.map(({ attempts }) => attempts) };
    await this.database.run(REMOVE, asked);
    return ended.map(() => undefined);
  }
}

interface Asked {
  ids: readonly number[];
  /** The value of `column` that each job must still have. */
  numbers: readonly number[];
}

/** The asked jobs, ordered by id as in the outbox, so that statements that lock several jobs can't deadlock. */
function askedBy(param: (name: keyof Asked) => Expression<unknown>, column: 'deliveries' | 'attempts') {
  const asked = sql<{ id: number; number: number }>`unnest(${param('ids')}::bigint[], ${param('numbers')}::integer[])`;
  return build
    .selectFrom('jobs')
    .innerJoin(asked.as<'asked'>(sql`asked (id, number)`), (join) =>
      join.onRef('asked.id', '=', 'jobs.id').onRef('asked.number', '=', `jobs.${column}`),
    )
    .select('jobs.id')
    .orderBy('jobs.id');
}

const START = prepared<Asked & { now: Date }>()((param) =>
  build
    .with('delivered', () => askedBy(param, 'deliveries').forNoKeyUpdate('jobs'))
    .updateTable('jobs')
    .from('delivered')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      crashes: sql<number>`crashes + (started_at is not null)::integer`,
      started_at: param('now'),
    }))
    .whereRef('jobs.id', '=', 'delivered.id')
    .returning(['jobs.id', 'name', 'payload', 'attempts', 'failures', 'crashes']),
);

const REMOVE = prepared<Asked>()((param) =>
  build
    .with('ended', () => askedBy(param, 'attempts').forUpdate('jobs'))
    .deleteFrom('jobs')
    .using('ended')
    .whereRef('jobs.id', '=', 'ended.id'),
);

interface Redelivery {
  id: number;
  /** The attempt and the delivery that the job must still have; `null` for any. */
  attempt: number | null;
  delivery: number | null;
  due_at: Date;
  /** How many to add. */
  failures: number;
  crashes: number;
  /** The reason of the failure; `null` for none. */
  reason: string | null;
}

const REDELIVER = prepared<Redelivery>()((param) =>
  build
    .updateTable('jobs')
    .set((eb) => ({
      deliveries: eb('deliveries', '+', 1),
      failures: eb('failures', '+', param('failures')),
      crashes: eb('crashes', '+', param('crashes')),
      started_at: null,
      relayed_at: null,
      due_at: param('due_at'),
      last_error: sql<string | null>`coalesce(${param('reason')}, last_error)`,
    }))
    .where('id', '=', param('id'))
    .where('attempts', '=', sql<number>`coalesce(${param('attempt')}, attempts)`)
    .where('deliveries', '=', sql<number>`coalesce(${param('delivery')}, deliveries)`)
    .returning(['id', 'name', 'deliveries', 'due_at', 'bulk']),
);
