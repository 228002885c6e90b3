import type { Clock, JobName, JobPayloads } from '#kernel';
import type { Database } from '#adapters/postgres';
import { Batches } from './batches.ts';
import type { Delivery, Relayable } from './outbox.ts';

/** A job that was just started. */
export interface StartedJob {
  readonly id: number;
  readonly delivery: number;
  readonly name: JobName;
  readonly payload: JobPayloads[JobName];
  /** How often it was started, this time included: its fencing number. */
  readonly attempts: number;
  readonly failures: number;
  readonly crashes: number;
}

type Attempt = Pick<StartedJob, 'id' | 'attempts'>;

/**
 * What the database knows of the jobs at work. Starts of many jobs share a statement, and so do ends: of small jobs,
 * these are most of the work.
 */
export class JobRecords {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #starts: Batches<Delivery, StartedJob | null>;
  readonly #ends: Batches<Attempt, void>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#starts = new Batches((deliveries) => this.#startAll(deliveries));
    this.#ends = new Batches((attempts) => this.#removeAll(attempts));
  }

  /** Counts a start; one that finds the mark of an unfinished start counts a crash. `null` for a job that is done. */
  start(delivery: Delivery): Promise<StartedJob | null> {
    return this.#starts.add(delivery);
  }

  /** Forgets a job that is done or given up. A later attempt may have it by now: then it is that one's to remove. */
  remove({ id, attempts }: StartedJob): Promise<void> {
    return this.#ends.add({ id, attempts });
  }

  /** @returns the job as it has to be handed over, unless a later attempt has it */
  retry(job: StartedJob, error: unknown, afterSeconds: number): Promise<Relayable | null> {
    const dueAt = new Date(this.#clock.now().getTime() + afterSeconds * 1000);
    const said = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : 'unknown';
    return this.#database.one<Relayable>(RETRY, [job.id, job.attempts, dueAt, said]);
  }

  /**
   * @param attempt the one that gives it back; `null` for a delivery that was never started
   * @param options.crashed whether that counts as a crash
   * @returns the job as it has to be handed over, unless another delivery or attempt has it
   */
  handBack(
    { jobId, delivery }: Delivery,
    attempt: number | null,
    { crashed = false } = {},
  ): Promise<Relayable | null> {
    return this.#database.one<Relayable>(HAND_BACK, [
      jobId,
      delivery,
      attempt,
      this.#clock.now(),
      crashed ? 1 : 0,
    ]);
  }

  async #startAll(deliveries: readonly Delivery[]): Promise<(StartedJob | null)[]> {
    const rest = [...deliveries];
    const started = new Map<Delivery, StartedJob>();
    while (rest.length > 0) {
      // Each start has a number of its own, so that a job that was delivered twice takes two statements.
      const batch = takeDistinct(rest);
      const rows = await this.#database.query<StartedJob>(START, [
        batch.map(({ jobId }) => jobId),
        batch.map(({ delivery }) => delivery),
        this.#clock.now(),
      ]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const delivery of batch) {
        const row = byId.get(delivery.jobId);
        if (row) started.set(delivery, row);
      }
    }
    return deliveries.map((delivery) => started.get(delivery) ?? null);
  }

  async #removeAll(attempts: readonly Attempt[]): Promise<void[]> {
    await this.#database.query(REMOVE, [attempts.map(({ id }) => id), attempts.map((each) => each.attempts)]);
    return attempts.map(() => undefined);
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

// Rows of several jobs are locked in the order of their ids wherever that is done, so that no two statements wait for
// each other.
const START = `
  with delivered as (
    select job.id from jobs job
    join unnest($1::bigint[], $2::integer[]) as asked (id, delivery)
      on job.id = asked.id and job.deliveries = asked.delivery
    order by job.id
    for no key update of job
  )
  update jobs job
    set attempts = attempts + 1, crashes = crashes + (started_at is not null)::integer, started_at = $3
  from delivered
  where job.id = delivered.id
  returning job.id, deliveries as delivery, name, payload, attempts, failures, crashes`;

const REMOVE = `
  with ended as (
    select job.id from jobs job
    join unnest($1::bigint[], $2::integer[]) as attempt (id, number)
      on job.id = attempt.id and job.attempts = attempt.number
    order by job.id
    for update of job
  )
  delete from jobs using ended where jobs.id = ended.id`;

const RETRY = `
  update jobs
    set failures = failures + 1, deliveries = deliveries + 1, started_at = null, relayed_at = null,
      due_at = $3, last_error = $4
  where id = $1 and attempts = $2
  returning id, name, deliveries, due_at, bulk`;

const HAND_BACK = `
  update jobs
    set deliveries = deliveries + 1, started_at = null, relayed_at = null, due_at = $4,
      crashes = crashes + $5
  where id = $1 and deliveries = $2 and attempts = coalesce($3, attempts)
  returning id, name, deliveries, due_at, bulk`;
