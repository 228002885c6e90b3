import type { Clock, JobName, JobPayloads, JobRun } from '#kernel';
import type { Database } from '#adapters/postgres';
import { JobRecords, type StartedJob } from './job-records.ts';
import type { Outbox, PendingJob } from './outbox.ts';
import type { Delivery } from './queues.ts';
import { afterFailure, MAX_CRASHES } from './retry-policy.ts';

/** Runs the jobs of one name. */
export interface JobHandler<Payload> {
  /** Runs a job; may be called again for a job that is done, and twice at once. */
  run(payload: Payload, run: JobRun): Promise<void>;
  /** Ends the subject of a job that is not tried again. Called at least once. */
  giveUp(payload: Payload, error: unknown): Promise<void>;
}

/** A handler for each job. */
export type JobHandlers = { readonly [Name in JobName]: JobHandler<JobPayloads[Name]> };

export interface JobReport {
  readonly jobId: number;
  readonly name: JobName;
  readonly attempt: number;
  readonly outcome: 'done' | 'retry' | 'given_up' | 'handed_back';
  readonly error?: unknown;
  readonly seconds: number;
}

type End = Pick<JobReport, 'outcome' | 'error'>;

/**
 * Runs the jobs that the queue delivers. The database counts how often a job was started, failed, or crashed with its
 * worker, so that a job is neither forgotten nor run for ever, whatever the queue loses.
 */
export class JobRunner {
  readonly #records: JobRecords;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(
    database: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly handlers: JobHandlers,
    private readonly report: (report: JobReport) => void,
  ) {
    this.#records = new JobRecords(database, clock);
  }

  /**
   * Runs the job of one delivery. Resolves when its outcome is recorded; rejects only when it can't be recorded, and
   * then the sweep of the outbox brings the job back.
   *
   * @param lost aborted when the queue gives the job to another worker
   */
  deliver(delivery: Delivery, lost?: AbortSignal): Promise<void> {
    const running = this.#deliver(delivery, lost).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when no job runs. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Aborts the running jobs; they go back to their queues. */
  stop(): void {
    this.#stopping.abort(new Error('the worker stops'));
  }

  async #deliver(delivery: Delivery, lost?: AbortSignal): Promise<void> {
    if (this.#stopping.signal.aborted) return this.#redeliver(this.#records.handBack(delivery, null));
    const job = await this.#records.start(delivery);
    if (!job) return;
    const since = this.clock.now().getTime();
    const end = await this.#run(job, delivery, lost);
    const seconds = (this.clock.now().getTime() - since) / 1000;
    this.report({ jobId: job.id, name: job.name, attempt: job.attempts, ...end, seconds });
  }

  async #run(job: StartedJob, delivery: Delivery, lost?: AbortSignal): Promise<End> {
    if (job.crashes >= MAX_CRASHES) {
      return this.#giveUp(job, new Error(`its worker crashed ${job.crashes} times`));
    }
    const signal = AbortSignal.any(lost ? [this.#stopping.signal, lost] : [this.#stopping.signal]);
    try {
      await this.#handlerOf(job).run(job.payload, { attempt: job.attempts, signal });
    } catch (error) {
      if (this.#stopping.signal.aborted || lost?.aborted) {
        // A job that the queue took away counts as crashed: one that blocks its worker must end too.
        const crashed = !this.#stopping.signal.aborted;
        await this.#redeliver(this.#records.handBack(delivery, job.attempts, { crashed }));
        return { outcome: 'handed_back', error };
      }
      const next = afterFailure(error, job.failures + 1);
      if (next === 'give_up') return this.#giveUp(job, error);
      await this.#redeliver(this.#records.retry(job, error, next.retryAfterSeconds));
      return { outcome: 'retry', error };
    }
    await this.#records.remove(job);
    return { outcome: 'done' };
  }

  async #giveUp(job: StartedJob, error: unknown): Promise<End> {
    await this.#handlerOf(job).giveUp(job.payload, error);
    await this.#records.remove(job);
    return { outcome: 'given_up', error };
  }

  #handlerOf({ name }: StartedJob): JobHandler<JobPayloads[JobName]> {
    return this.handlers[name];
  }

  async #redeliver(recorded: Promise<PendingJob | null>): Promise<void> {
    const job = await recorded;
    if (job) this.outbox.relaySoon(job);
  }
}
