import { sql } from 'kysely';
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
  retry({ id, attempts }: StartedJob, error: unknown, afterSeconds: number): Promise<PendingJob | null> {
    const due_at = new Date(this.clock.now().getTime() + afterSeconds * 1000);
    const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : 'unknown';
    return this.database.one(RETRY, { id, attempts, due_at, reason });
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
    const crashes = crashed ? 1 : 0;
    return this.database.one(HAND_BACK, { id, delivery, attempt, now: this.clock.now(), crashes });
  }

  async #startAll(deliveries: readonly Delivery[]): Promise<(StartedJob | null)[]> {
    const rest = [...deliveries];
    const started = new Map<Delivery, StartedJob>();
    while (rest.length > 0) {
      // Each start has its own number, so that a job that is delivered twice needs two statements.
      const batch = takeDistinct(rest);
      const rows = await this.database.run(START, {
        ids: batch.map(({ jobId }) => jobId),
        deliveries: batch.map(({ delivery }) => delivery),
        now: this.clock.now(),
      });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const delivery of batch) {
        const row = byId.get(delivery.jobId);
        if (row) started.set(delivery, row);
      }
    }
    return deliveries.map((delivery) => started.get(delivery) ?? null);
  }

  async #removeAll(ended: readonly Attempt[]): Promise<void[]> {
    await this.database.run(REMOVE, {
      ids: ended.map(({ id }) => id),
      attempts: ended.map(({ attempts }) => attempts),
    });
    return ended.map(() => undefined);
  }
}

/** Takes the first delivery of each job out of the list. */
function takeDistinct(deliveries: Delivery[]): Delivery[] {
  const first = new Map<number, Delivery>();
  for (const delivery of deliveries) if (!first.has(delivery.jobId)) first.set(delivery.jobId, delivery);
  const taken = new Set(first.values());
  deliveries.splice(0, deliveries.length, ...deliveries.filter((delivery) => !taken.has(delivery)));
  return [...taken];
}

// Rows of several jobs are locked in the order of their ids, here and in the outbox, so that statements can't deadlock.
const START = prepared<{ ids: readonly number[]; deliveries: readonly number[]; now: Date }>()((param) => {
  const asked = sql<{ id: number; delivery: number }>`
    unnest(${param('ids')}::bigint[], ${param('deliveries')}::integer[])`;
  return build
    .with('delivered', (db) =>
      db
        .selectFrom('jobs')
        .innerJoin(asked.as<'asked'>(sql`asked (id, delivery)`), (join) =>
          join.onRef('asked.id', '=', 'jobs.id').onRef('asked.delivery', '=', 'jobs.deliveries'),
        )
        .select('jobs.id')
        .orderBy('jobs.id')
        .forNoKeyUpdate('jobs'),
    )
    .updateTable('jobs')
    .from('delivered')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      crashes: sql<number>`crashes + (started_at is not null)::integer`,
      started_at: param('now'),
    }))
    .whereRef('jobs.id', '=', 'delivered.id')
    .returning(['jobs.id', 'name', 'payload', 'attempts', 'failures', 'crashes']);
});

const REMOVE = prepared<{ ids: readonly number[]; attempts: readonly number[] }>()((param) => {
  const asked = sql<{ id: number; attempt: number }>`
    unnest(${param('ids')}::bigint[], ${param('attempts')}::integer[])`;
  return build
    .with('ended', (db) =>
      db
        .selectFrom('jobs')
        .innerJoin(asked.as<'asked'>(sql`asked (id, attempt)`), (join) =>
          join.onRef('asked.id', '=', 'jobs.id').onRef('asked.attempt', '=', 'jobs.attempts'),
        )
        .select('jobs.id')
        .orderBy('jobs.id')
        .forUpdate('jobs'),
    )
    .deleteFrom('jobs')
    .using('ended')
    .whereRef('jobs.id', '=', 'ended.id');
});

const RETRY = prepared<{ id: number; attempts: number; due_at: Date; reason: string }>()((param) =>
  build
    .updateTable('jobs')
    .set((eb) => ({
      failures: eb('failures', '+', 1),
      deliveries: eb('deliveries', '+', 1),
      started_at: null,
      relayed_at: null,
      due_at: param('due_at'),
      last_error: param('reason'),
    }))
    .where('id', '=', param('id'))
    .where('attempts', '=', param('attempts'))
    .returning(['id', 'name', 'deliveries', 'due_at', 'bulk']),
);

interface HandingBack {
  id: number;
  delivery: number;
  attempt: number | null;
  now: Date;
  crashes: number;
}

const HAND_BACK = prepared<HandingBack>()((param) =>
  build
    .updateTable('jobs')
    .set((eb) => ({
      deliveries: eb('deliveries', '+', 1),
      started_at: null,
      relayed_at: null,
      due_at: param('now'),
      crashes: eb('crashes', '+', param('crashes')),
    }))
    .where('id', '=', param('id'))
    .where('deliveries', '=', param('delivery'))
    .where('attempts', '=', sql<number>`coalesce(${param('attempt')}, attempts)`)
    .returning(['id', 'name', 'deliveries', 'due_at', 'bulk']),
);
