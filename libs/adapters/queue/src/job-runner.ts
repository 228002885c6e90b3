import {
  JobPostponed,
  noTracing,
  type Clock,
  type JobName,
  type JobPayloads,
  type JobRun,
  type Tracing,
} from '#kernel';
import type { Database } from '#adapters/postgres';
import { JobRecords, type StartedJob } from './job-records.ts';
import type { Outbox, PendingJob } from './outbox.ts';
import type { BeyondLimits, Ticket, TicketReceiver, WorkspaceLimits } from './queues.ts';
import { afterFailure, isCausedByUser, MAX_CRASHES } from './retry-policy.ts';

/** Runs the jobs of one name. */
export interface JobHandler<Payload> {
  /** Runs a job; may be called again for a job that is done, and twice at once. */
  run(payload: Payload, run: JobRun): Promise<void>;
  /** Records that the job has failed for good. Called at least once, before the job is deleted. */
  failed(payload: Payload, error: unknown, job: Pick<JobRun, 'workspaceId'>): Promise<void>;
}

/** A handler for each job. */
export type JobHandlers = { readonly [Name in JobName]: JobHandler<JobPayloads[Name]> };

export interface JobReport {
  readonly jobId: number;
  readonly name: JobName;
  readonly attempt: number;
  readonly outcome: 'done' | 'retry' | 'postponed' | 'failed' | 'handed_back';
  readonly error?: unknown;
  /** Cause of a failed job: a user's input, or the service. */
  readonly cause?: 'user' | 'service';
  readonly seconds: number;
}

type RunResult = Pick<JobReport, 'outcome' | 'error' | 'cause'>;
/** The outcomes after which a job is deleted. */
const FINAL: readonly JobReport['outcome'][] = ['done', 'failed'];

/**
 * Runs jobs with the tickets that the queue delivers. The database counts the starts, failures and worker crashes of
 * each job, so no job is lost or runs for ever, even if the queue loses its data.
 */
export class JobRunner implements TicketReceiver {
  readonly #records: JobRecords;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(
    database: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly handlers: JobHandlers,
    private readonly report: (report: JobReport) => void,
    limits: WorkspaceLimits,
    private readonly tracing: Tracing = noTracing,
    beyond: BeyondLimits = {},
  ) {
    this.#records = new JobRecords(database, clock, limits, beyond);
  }

  /**
   * Runs jobs, one after the other, until none may start. Rejects only when an outcome can't be recorded; the sweep of
   * the outbox then delivers the job again.
   */
  deliver(ticket: Ticket, lost?: AbortSignal): Promise<void> {
    const running = this.#deliver(ticket, lost).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Records the crash at once, so that any worker may run the job before the ticket is delivered again. */
  stalled(ticketId: string): void {
    // If this fails, the next delivery of the ticket records the crash.
    this.#records.recordCrash(ticketId).catch(() => undefined);
  }

  /** Resolves when no job runs. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Aborts the running jobs; they go back to their queues. */
  stop(): void {
    this.#stopping.abort(new Error('the worker stops'));
  }

  async #deliver(ticket: Ticket, lost?: AbortSignal): Promise<void> {
    // A ticket that is delivered again has lost its worker.
    if (!ticket.isFirst) await this.#records.recordCrash(ticket.id);
    let job = await this.#records.start(ticket);
    while (job) job = await this.#turn(job, ticket, lost);
  }

  /** Runs a job and records the outcome. @returns the next job of the ticket */
  async #turn(job: StartedJob, ticket: Ticket, lost?: AbortSignal): Promise<StartedJob | null> {
    const since = this.clock.now().getTime();
    const result = await this.#traced(job, () => this.#run(job, lost)).finally(() => this.#records.stopped(job));
    const next = await this.#next(job, result, ticket, lost);
    const seconds = (this.clock.now().getTime() - since) / 1000;
    this.report({ jobId: job.id, name: job.name, attempt: job.attempts, ...result, seconds });
    return next;
  }

  #traced({ id, name, attempts, traceparent }: StartedJob, run: () => Promise<RunResult>): Promise<RunResult> {
    const attributes = { 'x12.job.id': id, 'x12.job.attempt': attempts };
    return this.tracing.span(`run ${name}`, { kind: 'consumer', attributes, parent: traceparent }, async (span) => {
      const result = await run();
      span.describe({ 'x12.job.outcome': result.outcome });
      if (result.outcome === 'retry' || result.outcome === 'failed') span.fail();
      return result;
    });
  }

  #next(
    job: StartedJob,
    { outcome }: RunResult,
    ticket: Ticket,
    lost?: AbortSignal,
  ): Promise<StartedJob | null> | null {
    const isLast = lost?.aborted ?? false;
    if (FINAL.includes(outcome)) return this.#records.end(job, ticket, { isLast });
    // A job that was handed back has a ticket of its own.
    return isLast || outcome === 'handed_back' ? null : this.#records.start(ticket);
  }

  async #run(job: StartedJob, lost?: AbortSignal): Promise<RunResult> {
    if (this.#stopping.signal.aborted) return this.#handBack(job, this.#stopping.signal.reason);
    if (job.crashes >= MAX_CRASHES) {
      return this.#fail(job, new Error(`its worker crashed ${job.crashes} times`));
    }
    const signal = AbortSignal.any(lost ? [this.#stopping.signal, lost] : [this.#stopping.signal]);
    try {
      await this.#handlerOf(job).run(job.payload, { attempt: job.attempts, workspaceId: job.workspace_id, signal });
    } catch (error) {
      if (this.#stopping.signal.aborted || lost?.aborted) return this.#handBack(job, error);
      if (error instanceof JobPostponed) {
        await this.#redeliver(this.#records.postpone(job, error));
        return { outcome: 'postponed', error };
      }
      const next = afterFailure(error, job.failures + 1);
      if (next === 'failed') return this.#fail(job, error);
      await this.#redeliver(this.#records.retry(job, error, next.retryAfterSeconds));
      return { outcome: 'retry', error };
    }
    return { outcome: 'done' };
  }

  /** A job whose ticket the queue took away counts as crashed, so that a job that blocks its worker fails in the end. */
  async #handBack(job: StartedJob, error: unknown): Promise<RunResult> {
    const crashed = !this.#stopping.signal.aborted;
    await this.#redeliver(this.#records.handBack(job, { crashed }));
    return { outcome: 'handed_back', error };
  }

  async #fail(job: StartedJob, error: unknown): Promise<RunResult> {
    await this.#handlerOf(job).failed(job.payload, error, { workspaceId: job.workspace_id });
    return { outcome: 'failed', error, cause: isCausedByUser(error) ? 'user' : 'service' };
  }

  #handlerOf({ name }: StartedJob): JobHandler<JobPayloads[JobName]> {
    return this.handlers[name];
  }

  async #redeliver(recorded: Promise<PendingJob | null>): Promise<void> {
    const job = await recorded;
    if (job) this.outbox.relaySoon(job);
  }
}
