import type { Clock, JobName, JobPayloads } from '#kernel';
import type { Database } from '#adapters/postgres';
import { WorkerStopping, type JobHandler } from './job-handler.ts';
import { LANE_OF } from './lanes.ts';
import type { Delivery, Outbox } from './outbox.ts';
import { afterFailure, MAX_CRASHES } from './retry-policy.ts';

interface Started {
  readonly name: JobName;
  readonly payload: JobPayloads[JobName];
  readonly attempts: number;
  readonly failures: number;
  readonly crashes: number;
}

export interface JobReport {
  readonly jobId: number;
  readonly name: JobName;
  readonly attempt: number;
  readonly outcome: 'done' | 'retry' | 'given_up' | 'handed_back';
  readonly error?: unknown;
  readonly seconds: number;
}

/**
 * Does the jobs that the queue delivers. How often a job was started, failed, or died with its worker is counted
 * in the database, so that no loss in the queue can make it forgotten or endless.
 */
export class JobRunner {
  readonly #database: Database;
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #report: (report: JobReport) => void;
  readonly #handlers: ReadonlyMap<JobName, JobHandler>;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  /** @throws Error when a job has no handler: better not to start than to lose work */
  constructor(
    database: Database,
    outbox: Outbox,
    clock: Clock,
    handlers: readonly JobHandler[],
    report: (report: JobReport) => void,
  ) {
    this.#database = database;
    this.#outbox = outbox;
    this.#clock = clock;
    this.#report = report;
    this.#handlers = new Map(handlers.map((handler) => [handler.name, handler]));
    const orphans = Object.keys(LANE_OF).filter((name) => !this.#handlers.has(name as JobName));
    if (orphans.length > 0) throw new Error(`no handler for the jobs ${orphans.join(', ')}`);
  }

  /**
   * Does one delivery. Resolves when what became of it is recorded; rejects only when it can't be recorded, and
   * then the sweep of the outbox brings the job back.
   *
   * @param lost aborted when the queue gives the job to another worker
   */
  deliver(delivery: Delivery, lost?: AbortSignal): Promise<void> {
    const running = this.#deliver(delivery, lost).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when what became of each job in hand is recorded, or can't be. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #deliver({ jobId, delivery }: Delivery, lost?: AbortSignal): Promise<void> {
    if (this.#stopping.signal.aborted) return this.#handBack(jobId, delivery);
    const started = await this.#start(jobId, delivery);
    if (!started) return;

    const since = this.#clock.now().getTime();
    const report = (outcome: JobReport['outcome'], error?: unknown): void =>
      this.#report({
        jobId,
        name: started.name,
        attempt: started.attempts,
        outcome,
        error,
        seconds: (this.#clock.now().getTime() - since) / 1000,
      });
    const handler = this.#handlers.get(started.name)!;
    const signal = AbortSignal.any(lost ? [this.#stopping.signal, lost] : [this.#stopping.signal]);

    if (started.crashes >= MAX_CRASHES) {
      const error = new Error(`its worker died ${started.crashes} times`);
      await this.#giveUp(jobId, started, handler, error);
      return report('given_up', error);
    }
    try {
      await handler.run(started.payload, { attempt: started.attempts, signal });
    } catch (error) {
      if (this.#stopping.signal.aborted) {
        await this.#handBack(jobId, delivery, started.attempts);
        return report('handed_back', error);
      }
      const next = afterFailure(error, started.failures + 1);
      if (next === 'give_up') {
        await this.#giveUp(jobId, started, handler, error);
        return report('given_up', error);
      }
      await this.#retry(jobId, started.attempts, error, next.retryAfterSeconds);
      return report('retry', error);
    }
    await this.#remove(jobId, started.attempts);
    report('done');
  }

  /** Tells running jobs to stop; they go back to the queue. */
  stop(): void {
    this.#stopping.abort(new WorkerStopping('the worker is being stopped'));
  }

  #start(jobId: number, delivery: number): Promise<Started | null> {
    return this.#database.one<Started>(
      `update jobs
          set attempts = attempts + 1, crashes = crashes + (started_at is not null)::integer, started_at = $3
        where id = $1 and deliveries = $2
        returning name, payload, attempts, failures, crashes`,
      [jobId, delivery, this.#clock.now()],
    );
  }

  async #giveUp(jobId: number, started: Started, handler: JobHandler, error: unknown): Promise<void> {
    await handler.giveUp(started.payload, error);
    await this.#remove(jobId, started.attempts);
  }

  /** A later attempt may have the job by now: then it is that one's to remove. */
  async #remove(jobId: number, attempt: number): Promise<void> {
    await this.#database.query('delete from jobs where id = $1 and attempts = $2', [jobId, attempt]);
  }

  #retry(jobId: number, attempt: number, error: unknown, afterSeconds: number): Promise<void> {
    const dueAt = new Date(this.#clock.now().getTime() + afterSeconds * 1000);
    return this.#redeliver(
      `update jobs
          set failures = failures + 1, deliveries = deliveries + 1, started_at = null, relayed_at = null,
              due_at = $3, last_error = $4
        where id = $1 and attempts = $2
        returning id, name, deliveries, due_at, bulk`,
      [
        jobId,
        attempt,
        dueAt,
        error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : 'unknown',
      ],
    );
  }

  #handBack(jobId: number, delivery: number, attempt: number | null = null): Promise<void> {
    return this.#redeliver(
      `update jobs
          set deliveries = deliveries + 1, started_at = null, relayed_at = null, due_at = $4
        where id = $1 and deliveries = $2 and attempts = coalesce($3, attempts)
        returning id, name, deliveries, due_at, bulk`,
      [jobId, delivery, attempt, this.#clock.now()],
    );
  }

  async #redeliver(sql: string, values: readonly unknown[]): Promise<void> {
    const rows = await this.#database.query<Parameters<Outbox['relaySoon']>[0]>(sql, values);
    for (const row of rows) this.#outbox.relaySoon(row);
  }
}
