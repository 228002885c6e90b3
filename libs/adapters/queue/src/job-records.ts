import { sql } from 'kysely';
import { Batches, build, prepared, type Database } from '#adapters/postgres';
import type { Clock, JobName, JobPayloads, JobPostponed } from '#kernel';
import type { PendingJob, TracedPayload } from './outbox.ts';
import { QUEUES, type QueueName, type Ticket, type WorkspaceLimits } from './queues.ts';

/** A job that was just started. */
export interface StartedJob {
  readonly id: number;
  readonly name: JobName;
  readonly payload: JobPayloads[JobName];
  readonly workspace_id: number | null;
  /** How often it was started, this time included: its fencing number. */
  readonly attempts: number;
  readonly failures: number;
  readonly crashes: number;
  /** The trace that it continues. */
  readonly traceparent: string | undefined;
}

type Attempt = Pick<StartedJob, 'id' | 'attempts'>;

/** What one ticket asks for: the end of the job that it has run, if any, and the start of another, unless it is over. */
interface Turn {
  readonly ended: Attempt | null;
  readonly ticket: Ticket | null;
}

/**
 * The rows of jobs that run. The starts of many jobs share a statement, and so do their ends: for small jobs these are
 * most of the work.
 *
 * Workspaces take turns (start-time fair queueing). A job gets the `turn` after the last one of its workspace in its
 * queue, but not one that has passed: that of the latest start, which `job_queues` keeps. Jobs start in the order of
 * their turns, and keep them until they are done: one that is interrupted goes back to its place.
 */
export class JobRecords {
  readonly #turns = new Map(
    QUEUES.map((queue) => [queue, new Batches((turns: readonly Turn[]) => this.#takeTurns(queue, turns))]),
  );
  readonly #crashes = new Batches((tickets: readonly string[]) => this.#recordCrashes(tickets));

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: WorkspaceLimits,
  ) {}

  /** Starts the next job of the ticket's queue, whichever it was added for; `null` when none may start. */
  start(ticket: Ticket): Promise<StartedJob | null> {
    return this.#turns.get(ticket.queue)!.add({ ended: null, ticket });
  }

  /**
   * Deletes a job that is done or given up, unless a later attempt has it, and starts the next one of the ticket that
   * has run it.
   *
   * @param options.isLast when the ticket may start none
   */
  end({ id, attempts }: StartedJob, ticket: Ticket, { isLast = false } = {}): Promise<StartedJob | null> {
    return this.#turns.get(ticket.queue)!.add({ ended: { id, attempts }, ticket: isLast ? null : ticket });
  }

  /** Puts the job that this ticket has started back to its place, as crashed; without effect when there is none. */
  recordCrash(ticketId: string): Promise<void> {
    return this.#crashes.add(ticketId);
  }

  /** @returns the job as it has to be added to its queue; `null` when this attempt no longer has it */
  retry(job: StartedJob, error: unknown, afterSeconds: number): Promise<PendingJob | null> {
    return this.#redeliver(job, { failures: job.failures + 1, afterSeconds, error });
  }

  /** Like `retry`, for a job that has come to the end of a step: what failed or crashed before no longer counts. */
  postpone(job: StartedJob, error: JobPostponed): Promise<PendingJob | null> {
    return this.#redeliver(job, { failures: 0, crashes: 0, afterSeconds: error.seconds, error });
  }

  /**
   * @param options.crashed whether it counts as a crash
   * @returns the job as it has to be added to its queue; `null` when this attempt no longer has it
   */
  handBack(job: StartedJob, { crashed = false } = {}): Promise<PendingJob | null> {
    return this.#redeliver(job, { crashes: job.crashes + (crashed ? 1 : 0) });
  }

  #redeliver(
    { id, attempts: attempt, ...counts }: StartedJob,
    { failures = counts.failures, crashes = counts.crashes, afterSeconds = 0, error = null as unknown },
  ): Promise<PendingJob | null> {
    const now = this.clock.now();
    const due_at = new Date(now.getTime() + afterSeconds * 1000);
    const reason =
      error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : error === null ? null : 'unknown';
    return this.database.one(REDELIVER, { id, attempt, now, due_at, failures, crashes, reason });
  }

  async #takeTurns(queue: QueueName, turns: readonly Turn[]): Promise<(StartedJob | null)[]> {
    const ended = turns.flatMap((turn) => turn.ended ?? []);
    const places = turns.flatMap(({ ticket }, place) => (ticket ? place : []));
    const tickets = turns.flatMap(({ ticket }) => ticket ?? []);
    const next = turns.map((): StartedJob | null => null);
    const rows = await this.database.run(NEXT, {
      queue,
      now: this.clock.now(),
      limit: this.limits[queue],
      tickets: tickets.map(({ id }) => id),
      ids: tickets.map(({ jobId }) => jobId),
      numbers: tickets.map(({ delivery }) => delivery),
      endedIds: ended.map(({ id }) => id),
      endedNumbers: ended.map(({ attempts }) => attempts),
    });
    for (const { place, payload: stored, ...job } of rows) {
      const { traceparent, ...payload } = stored;
      next[places[place - 1]!] = { ...job, payload: payload as JobPayloads[JobName], traceparent };
    }
    return next;
  }

  async #recordCrashes(tickets: readonly string[]): Promise<void[]> {
    await this.database.run(RECORD_CRASHES, { tickets });
    return tickets.map(() => undefined);
  }
}

interface Next {
  queue: QueueName;
  now: Date;
  /** How many jobs of one workspace may run. */
  limit: number;
  /** One for each job to start. */
  tickets: readonly string[];
  /** The jobs and deliveries for which the tickets were added: these are due, whatever the clocks. */
  ids: readonly number[];
  numbers: readonly number[];
  /** The jobs that have ended, and their attempts. */
  endedIds: readonly number[];
  endedNumbers: readonly number[];
}

interface Started extends Omit<StartedJob, 'payload' | 'traceparent'> {
  readonly place: number;
  readonly payload: TracedPayload;
}

const NEXT = prepared<Next>()((param) =>
  build
    .selectFrom(
      sql<Started>`next_jobs(${param('queue')}, ${param('now')}, ${param('limit')},
        ${param('tickets')}, ${param('ids')}, ${param('numbers')}, ${param('endedIds')},
        ${param('endedNumbers')})`.as('started'),
    )
    .select(['place', 'id', 'name', 'payload', 'workspace_id', 'attempts', 'failures', 'crashes']),
);

/** The locked rows are in the order of their ids, so that statements that lock several jobs can't deadlock. */
const RECORD_CRASHES = prepared<{ tickets: readonly string[] }>()((param) =>
  build
    .with('crashed', (db) =>
      db
        .selectFrom('jobs')
        .where('started_at', 'is not', null)
        // A version without tickets has started it by its own delivery.
        .where(sql<boolean>`coalesce(ticket, 'job-' || id || '-' || deliveries) = any(${param('tickets')}::text[])`)
        .select('id')
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .updateTable('jobs')
    .from('crashed')
    .set((eb) => ({ crashes: eb('crashes', '+', 1), started_at: null, ticket: null }))
    .whereRef('jobs.id', '=', 'crashed.id'),
);

interface Redelivery {
  id: number;
  /** The attempt that must still have the job. */
  attempt: number;
  now: Date;
  due_at: Date;
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
      failures: param('failures'),
      crashes: param('crashes'),
      started_at: null,
      // It is added to its queue right after this.
      relayed_at: param('now'),
      ticket: null,
      due_at: param('due_at'),
      last_error: sql<string | null>`coalesce(${param('reason')}, last_error)`,
    }))
    .where('id', '=', param('id'))
    .where('attempts', '=', param('attempt'))
    .where('started_at', 'is not', null)
    .returning(['id', 'name', 'queue', 'deliveries', 'due_at', 'ticket']),
);
