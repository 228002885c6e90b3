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
import type { Ticket, TicketHolder, WorkspaceLimits } from './queues.ts';
import { afterFailure, isOfUser, MAX_CRASHES } from './retry-policy.ts';

/** Runs the jobs of one name. */
export interface JobHandler<Payload> {
  /** Runs a job; may be called again for a job that is done, and twice at once. */
  run(payload: Payload, run: JobRun): Promise<void>;
  /** Ends the subject of a job that is not tried again. Called at least once. */
  giveUp(payload: Payload, error: unknown, job: Pick<JobRun, 'workspaceId'>): Promise<void>;
}

/** A handler for each job. */
export type JobHandlers = { readonly [Name in JobName]: JobHandler<JobPayloads[Name]> };

export interface JobReport {
  readonly jobId: number;
  readonly name: JobName;
  readonly attempt: number;
  readonly outcome: 'done' | 'retry' | 'postponed' | 'given_up' | 'handed_back';
  readonly error?: unknown;
  /** Of a job that was given up: whether what a user gave is the reason. */
  readonly cause?: 'user' | 'service';
  readonly seconds: number;
}

/** A job that is over is still to be deleted. */
type End = Pick<JobReport, 'outcome' | 'error' | 'cause'>;
const OVER: readonly JobReport['outcome'][] = ['done', 'given_up'];

/**
 * Runs jobs with the tickets that the queue delivers. The database counts how often a job was started, failed, or
 * crashed with its worker, so that a job is neither forgotten nor run for ever, whatever the queue loses.
 */
export class JobRunner implements TicketHolder {
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
  ) {
    this.#records = new JobRecords(database, clock, limits);
  }

  /**
   * Runs the next job, and then those after it, until none may start. Rejects only when an outcome can't be recorded;
   * then the sweep of the outbox brings the job back.
   */
  deliver(ticket: Ticket, lost?: AbortSignal): Promise<void> {
    const running = this.#deliver(ticket, lost).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Any worker may then run the job at its turn; else it would wait until the ticket is delivered again. */
  stalled(ticketId: string): void {
    // When this fails, the next delivery of the ticket does it.
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
    // A ticket that comes again has lost its worker, and what that worker ran.
    if (!ticket.isFirst) await this.#records.recordCrash(ticket.id);
    let job = await this.#records.start(ticket);
    while (job) job = await this.#turn(job, ticket, lost);
  }

  /** @returns the next job of the ticket */
  async #turn(job: StartedJob, ticket: Ticket, lost?: AbortSignal): Promise<StartedJob | null> {
    const since = this.clock.now().getTime();
    const end = await this.#traced(job, () => this.#run(job, lost));
    const next = await this.#after(job, end, ticket, lost);
    const seconds = (this.clock.now().getTime() - since) / 1000;
    this.report({ jobId: job.id, name: job.name, attempt: job.attempts, ...end, seconds });
    return next;
  }

  #traced({ id, name, attempts, traceparent }: StartedJob, run: () => Promise<End>): Promise<End> {
    const attributes = { 'x12.job.id': id, 'x12.job.attempt': attempts };
    return this.tracing.span(`run ${name}`, { kind: 'consumer', attributes, parent: traceparent }, async (span) => {
      const end = await run();
      span.describe({ 'x12.job.outcome': end.outcome });
      if (end.outcome === 'retry' || end.outcome === 'given_up') span.fail();
      return end;
    });
  }

  /** The next job of the ticket. */
  #after(job: StartedJob, { outcome }: End, ticket: Ticket, lost?: AbortSignal): Promise<StartedJob | null> | null {
    const isLast = lost?.aborted ?? false;
    if (OVER.includes(outcome)) return this.#records.end(job, ticket, { isLast });
    // What was handed back has a ticket of its own.
    return isLast || outcome === 'handed_back' ? null : this.#records.start(ticket);
  }

  async #run(job: StartedJob, lost?: AbortSignal): Promise<End> {
    if (this.#stopping.signal.aborted) return this.#handBack(job, this.#stopping.signal.reason);
    if (job.crashes >= MAX_CRASHES) {
      return this.#giveUp(job, new Error(`its worker crashed ${job.crashes} times`));
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
      if (next === 'give_up') return this.#giveUp(job, error);
      await this.#redeliver(this.#records.retry(job, error, next.retryAfterSeconds));
      return { outcome: 'retry', error };
    }
    return { outcome: 'done' };
  }

  /** A job whose ticket the queue took away counts as crashed: one that blocks its worker must end too. */
  async #handBack(job: StartedJob, error: unknown): Promise<End> {
    const crashed = !this.#stopping.signal.aborted;
    await this.#redeliver(this.#records.handBack(job, { crashed }));
    return { outcome: 'handed_back', error };
  }

  async #giveUp(job: StartedJob, error: unknown): Promise<End> {
    await this.#handlerOf(job).giveUp(job.payload, error, { workspaceId: job.workspace_id });
    return { outcome: 'given_up', error, cause: isOfUser(error) ? 'user' : 'service' };
  }

  #handlerOf({ name }: StartedJob): JobHandler<JobPayloads[JobName]> {
    return this.handlers[name];
  }

  async #redeliver(recorded: Promise<PendingJob | null>): Promise<void> {
    const job = await recorded;
    if (job) this.outbox.relaySoon(job);
  }
}
