import type { Clock, JobName } from '#kernel';
import type { Database } from '#adapters/postgres';
import { WorkerStopping, type JobHandler } from './job-handler.ts';
import { JobRecords, type StartedJob } from './job-records.ts';
import { LANE_OF } from './lanes.ts';
import type { Delivery, Outbox, Relayable } from './outbox.ts';
import { afterFailure, MAX_CRASHES } from './retry-policy.ts';

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
  readonly #records: JobRecords;
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
    this.#records = new JobRecords(database, clock);
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

  /** Tells running jobs to stop; they go back to the queue. */
  stop(): void {
    this.#stopping.abort(new WorkerStopping('the worker is being stopped'));
  }

  async #deliver(delivery: Delivery, lost?: AbortSignal): Promise<void> {
    if (this.#stopping.signal.aborted) return this.#redeliver(this.#records.handBack(delivery, null));
    const job = await this.#records.start(delivery);
    if (!job) return;

    const since = this.#clock.now().getTime();
    const report = (outcome: JobReport['outcome'], error?: unknown): void =>
      this.#report({
        jobId: job.id,
        name: job.name,
        attempt: job.attempts,
        outcome,
        error,
        seconds: (this.#clock.now().getTime() - since) / 1000,
      });
    const handler = this.#handlers.get(job.name)!;
    const signal = AbortSignal.any(lost ? [this.#stopping.signal, lost] : [this.#stopping.signal]);

    if (job.crashes >= MAX_CRASHES) {
      const error = new Error(`its worker died ${job.crashes} times`);
      await this.#giveUp(job, handler, error);
      return report('given_up', error);
    }
    try {
      await handler.run(job.payload, { attempt: job.attempts, signal });
    } catch (error) {
      if (this.#stopping.signal.aborted) {
        await this.#redeliver(this.#records.handBack(delivery, job.attempts));
        return report('handed_back', error);
      }
      if (lost?.aborted) {
        // The queue's misfortune or the machine's, not the job's; a job that blocks its worker must end all the same.
        await this.#redeliver(this.#records.handBack(delivery, job.attempts, { crashed: true }));
        return report('handed_back', error);
      }
      const next = afterFailure(error, job.failures + 1);
      if (next === 'give_up') {
        await this.#giveUp(job, handler, error);
        return report('given_up', error);
      }
      await this.#redeliver(this.#records.retry(job, error, next.retryAfterSeconds));
      return report('retry', error);
    }
    await this.#records.remove(job);
    report('done');
  }

  async #giveUp(job: StartedJob, handler: JobHandler, error: unknown): Promise<void> {
    await handler.giveUp(job.payload, error);
    await this.#records.remove(job);
  }

  async #redeliver(recorded: Promise<Relayable | null>): Promise<void> {
    const job = await recorded;
    if (job) this.#outbox.relaySoon(job);
  }
}
