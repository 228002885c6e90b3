import { sql, type RawBuilder } from 'kysely';
import { anyIn, GroupedCalls, brief, build, prepared, type Database, type Param } from '#adapters/postgres';
import type { Clock, JobName, JobPayloads, JobPostponed } from '#kernel';
import type { PendingJob, TracedPayload } from './outbox.ts';
import { lockQueue } from './job-queues.ts';
import { QUEUES, type BeyondLimits, type QueueName, type Ticket, type WorkspaceLimits } from './queues.ts';

/** A started job. */
export interface StartedJob {
  readonly id: number;
  readonly name: JobName;
  readonly payload: JobPayloads[JobName];
  readonly workspace_id: number | null;
  /** Starts so far, including this one: the fencing token. */
  readonly attempts: number;
  readonly failures: number;
  readonly crashes: number;
  /** The trace to continue. */
  readonly traceparent: string | undefined;
}

/** More than any process runs. */
const NO_LIMIT = 100_000;

type Attempt = Pick<StartedJob, 'id' | 'attempts'>;

/** The request of one ticket: the job to end, if any, and the ticket to start another job for, if any. */
interface Turn {
  readonly ended: Attempt | null;
  readonly ticket: Ticket | null;
}

/**
 * The rows of running jobs. The starts and ends of many jobs share statements, which are most of the cost of small jobs.
 *
 * Workspaces take turns (start-time fair queueing). The `turn` of a job is the one after the last job of its workspace in
 * its queue, but at least the turn of the latest start, which `job_queues` stores. Jobs start in the order of their turns.
 * An interrupted job keeps its turn. Within a workspace, jobs of batches start after the others.
 */
export class JobRecords {
  readonly #turns = new Map(
    QUEUES.map((queue) => [queue, new GroupedCalls((turns: readonly Turn[]) => this.#takeTurns(queue, turns))]),
  );
  readonly #crashes = new GroupedCalls((tickets: readonly string[]) => this.#recordCrashes(tickets));

  /** The jobs that this process runs. */
  readonly #running = new Map<number, QueueName>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: WorkspaceLimits,
    private readonly beyond: BeyondLimits,
  ) {}

  /** Starts the next job of the ticket's queue, not necessarily its own; `null` when none may start. */
  start(ticket: Ticket): Promise<StartedJob | null> {
    return this.#takeTurn(ticket.queue, { ended: null, ticket });
  }

  /**
   * Deletes a job that is done or failed, unless a later attempt runs it, and starts the next job of the ticket.
   *
   * @param options.isLast whether the ticket starts no further job
   */
  end({ id, attempts }: StartedJob, ticket: Ticket, { isLast = false } = {}): Promise<StartedJob | null> {
    return this.#takeTurn(ticket.queue, { ended: { id, attempts }, ticket: isLast ? null : ticket });
  }

  /** Notes that this process runs the job no longer. */
  stopped({ id }: StartedJob): void {
    this.#running.delete(id);
  }

  /** Records a crash of the job that this ticket has started, and makes it startable again. Without effect without one. */
  recordCrash(ticketId: string): Promise<void> {
    return this.#crashes.add(ticketId);
  }

  /** @returns the job to add to its queue; `null` when this attempt no longer runs it */
  retry(job: StartedJob, error: unknown, afterSeconds: number): Promise<PendingJob | null> {
    return this.#redeliver(job, { failures: job.failures + 1, afterSeconds, error });
  }

  /** Like `retry`, for a job that has completed a step: resets its failures and crashes. */
  postpone(job: StartedJob, error: JobPostponed): Promise<PendingJob | null> {
    return this.#redeliver(job, { failures: 0, crashes: 0, afterSeconds: error.seconds, error });
  }

  /**
   * @param options.crashed whether it counts as a crash
   * @returns the job to add to its queue; `null` when this attempt no longer runs it
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
    return this.database.one(redeliver, { id, attempt, now, due_at, failures, crashes, reason });
  }

  async #takeTurn(queue: QueueName, turn: Turn): Promise<StartedJob | null> {
    const next = await this.#turns.get(queue)!.add(turn);
    return next === 'try again' ? this.#takeTurn(queue, { ...turn, ended: null }) : next;
  }

  async #takeTurns(queue: QueueName, turns: readonly Turn[]): Promise<(StartedJob | null | 'try again')[]> {
    const ended = turns.flatMap((turn) => turn.ended ?? []);
    const tickets = turns.flatMap(({ ticket }) => ticket ?? []);
    const started = await this.#endAndStart(queue, ended, tickets, this.limits[queue]);
    const isMore = started[0]?.isMore ?? false;
    const spare = (this.beyond[queue] ?? 0) - [...this.#running.values()].filter((name) => name === queue).length;
    const free = tickets.slice(started.length, Math.max(started.length, spare));
    if (free.length > 0 && !isMore) started.push(...(await this.#endAndStart(queue, [], free, NO_LIMIT)));
    for (const { id } of started) this.#running.set(id, queue);
    const inOrder = started.map(startedJob);
    const none = isMore ? 'try again' : null;
    return turns.map(({ ticket }) => (ticket ? (inOrder.shift() ?? none) : null));
  }

  /** @returns the started jobs in the order of their tickets */
  async #endAndStart(
    queue: QueueName,
    ended: readonly Attempt[],
    tickets: readonly Ticket[],
    limit: number,
  ): Promise<Started[]> {
    const values: Turns = {
      queue,
      now: this.clock.now(),
      limit,
      count: tickets.length,
      tickets: tickets.map(({ id }) => id),
      ids: tickets.map(({ jobId }) => jobId),
      numbers: tickets.map(({ delivery }) => delivery),
      endedIds: ended.map(({ id }) => id),
      endedNumbers: ended.map(({ attempts }) => attempts),
    };
    const started = await this.#run(ended, tickets, values);
    return started.sort((one, other) => one.position - other.position);
  }

  async #run(ended: readonly Attempt[], tickets: readonly Ticket[], values: Turns): Promise<Started[]> {
    if (tickets.length === 0) {
      await this.database.together({ lockQueue, deleteEnded }, values);
      return [];
    }
    if (ended.length > 0) {
      return (await this.database.together({ lockQueue, deleteEnded, giveTurns, startNext }, values)).startNext;
    }
    // On an empty queue, the usual case, no lock is taken.
    if (!(await this.database.any(findWaiting, values))) return [];
    return (await this.database.together({ lockQueue, giveTurns, startNext }, values)).startNext;
  }

  async #recordCrashes(tickets: readonly string[]): Promise<void[]> {
    await this.database.run(recordCrashes, { tickets });
    return tickets.map(() => undefined);
  }
}

function startedJob({ position: _, isMore: __, payload: { traceparent, ...payload }, ...job }: Started): StartedJob {
  return { ...job, payload: payload as JobPayloads[JobName], traceparent };
}

interface Turns {
  queue: QueueName;
  now: Date;
  /** Maximum running jobs of one workspace. */
  limit: number;
  /** Jobs to start: one for each ticket. */
  count: number;
  tickets: readonly string[];
  /** The jobs and deliveries of the tickets: these are due even if clocks differ. */
  ids: readonly number[];
  numbers: readonly number[];
  /** The ended jobs and their attempts. */
  endedIds: readonly number[];
  endedNumbers: readonly number[];
}

interface Started extends Omit<StartedJob, 'payload' | 'traceparent'> {
  readonly payload: TracedPayload;
  /** The number of its ticket, from 1. */
  readonly position: number;
  /** True if more jobs may be startable. */
  readonly isMore: boolean;
}

const statement = <Row>(text: RawBuilder<Row>) => ({ compile: () => text.compile(build) });

const isDue = (param: Param<Turns>) => sql<boolean>`(
  jobs.due_at <= ${param('now')}
  or (jobs.id, jobs.deliveries) in (select * from unnest(${param('ids')}::bigint[], ${param('numbers')}::integer[])))`;

const findWaiting = brief(
  prepared<Turns>()((param) =>
    build
      .selectFrom('jobs')
      .select('id')
      .where('queue', '=', param('queue'))
      .where('started_at', 'is', null)
      .where(isDue(param))
      .limit(sql.lit(1)),
  ),
);

/** Deletes a job only for its latest attempt. */
const deleteEnded = prepared<Turns>()((param) => {
  const ended = build
    .selectFrom('jobs')
    .innerJoin(
      sql<Attempt>`unnest(${param('endedIds')}::bigint[], ${param('endedNumbers')}::integer[])`.as<'ended'>(
        sql`ended (id, attempts)`,
      ),
      (join) => join.onRef('ended.id', '=', 'jobs.id').onRef('ended.attempts', '=', 'jobs.attempts'),
    )
    .select('jobs.id')
    .orderBy('jobs.id')
    .forUpdate('jobs');
  return build.deleteFrom('jobs').where('id', '=', anyIn(ended));
});

/**
 * The turn of a job is the one after the last job of its workspace in the queue, but at least the turn of the latest
 * start. Jobs of batches let the other fresh jobs of their workspace pass: those get the first of the turns that both have,
 * and the jobs of batches that had these get the turns that become free. Other workspaces do not notice it.
 */
const giveTurns = prepared<Turns>()((param) =>
  statement(sql`
    with fresh as (
      select id, bulk, workspace_id, is_cell, nth + greatest(latest, (
        select max(others.turn) + 1 from jobs others
        where others.queue = ${param('queue')} and others.workspace_id = numbered.workspace_id
          and others.bulk = numbered.bulk)) as turn
      from (
        select jobs.id, jobs.bulk, jobs.workspace_id, jobs.batch_id is not null as is_cell, job_queues.turn as latest,
          row_number() over (
            partition by jobs.bulk, jobs.workspace_id order by jobs.batch_id is not null, jobs.id) - 1 as nth
        from jobs join job_queues using (queue, bulk)
        where jobs.queue = ${param('queue')} and jobs.started_at is null and jobs.turn is null
      ) numbered
    ), passing as (
      select bulk, workspace_id, count(*) as singles from fresh
      where not is_cell and exists (
        select from jobs cell
        where cell.queue = ${param('queue')} and cell.workspace_id = fresh.workspace_id and cell.bulk = fresh.bulk
          and cell.batch_id is not null and cell.started_at is null and cell.turn is not null)
      group by bulk, workspace_id
    ), waiting as (
      select id, bulk, workspace_id, singles, is_cell, turn
      from passing join fresh using (bulk, workspace_id)
      where not is_cell
      union all
      select cell.id, bulk, workspace_id, singles, true, cell.turn
      from passing, lateral (
        select id, turn from jobs
        where jobs.queue = ${param('queue')} and jobs.workspace_id = passing.workspace_id and jobs.bulk = passing.bulk
          and jobs.batch_id is not null and jobs.started_at is null and jobs.turn is not null
        order by turn, id
        limit passing.singles) cell
    ), ranked as (
      select *, row_number() over (partition by bulk, workspace_id order by turn, is_cell, id) as place,
        row_number() over (partition by bulk, workspace_id, is_cell order by turn, id) as nth
      from waiting
    ), moved as (
      select *, row_number() over (partition by bulk, workspace_id, is_cell order by turn, id) as nth_moved
      from ranked
      where is_cell = (place <= singles)
    ), changed as (
      select single.id, early.turn
      from ranked single join ranked early using (bulk, workspace_id)
      where not single.is_cell and early.place = single.nth
      union all
      select cell.id, late.turn
      from moved cell join moved late using (bulk, workspace_id, nth_moved)
      where cell.is_cell and not late.is_cell
    )
    update jobs set turn = coalesce(changed.turn, fresh.turn)
    from fresh full join changed using (id)
    where jobs.id = coalesce(changed.id, fresh.id)`),
);

/**
 * Starts the due jobs with the lowest turns, bulk jobs last, up to the limit of each workspace. Selects `count` jobs first
 * and then drops those over the limit of their workspace; `isMore` says that further jobs may be startable.
 */
const startNext = prepared<Turns>()((param) =>
  statement(sql<Started>`
    with running as (
      select workspace_id, count(*) as count from jobs
      where queue = ${param('queue')} and started_at is not null
      group by workspace_id
    ), next as (
      select jobs.id, bulk, turn, jobs.workspace_id, coalesce(running.count, 0) as running
      from jobs left join running on running.workspace_id = jobs.workspace_id
      where queue = ${param('queue')} and started_at is null and turn is not null and ${isDue(param)}
        and coalesce(running.count, 0) < ${param('limit')}
      order by bulk, turn, jobs.id
      limit ${param('count')}
    ), ranked as (
      select next.*, running + row_number() over (partition by workspace_id order by bulk, turn, id) as nth from next
    ), chosen as (
      select id, bulk, turn, row_number() over (order by bulk, turn, id) as position
      from ranked
      where workspace_id is null or nth <= ${param('limit')}
    ), latest as (
      update job_queues set turn = greatest(job_queues.turn, started.turn)
      from (select bulk, max(turn) as turn from chosen group by bulk) started
      where job_queues.queue = ${param('queue')} and job_queues.bulk = started.bulk
    )
    update jobs
    set attempts = attempts + 1, started_at = ${param('now')}, ticket = (${param('tickets')}::text[])[chosen.position]
    from chosen
    where jobs.id = chosen.id
    returning jobs.id, jobs.name, jobs.payload, jobs.workspace_id, jobs.attempts, jobs.failures, jobs.crashes,
      chosen.position, (select count(*) from next) = ${param('count')} as "isMore"`),
);

/** Locks jobs in the order of their ids, so that concurrent statements can't deadlock. */
const recordCrashes = prepared<{ tickets: readonly string[] }>()((param) =>
  build
    .with('crashed', (db) =>
      db
        .selectFrom('jobs')
        .where('started_at', 'is not', null)
        // A version without tickets starts a job by its own delivery.
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
  /** The attempt that must still run the job. */
  attempt: number;
  now: Date;
  due_at: Date;
  failures: number;
  crashes: number;
  /** The reason of a failure; `null` for none. */
  reason: string | null;
}

const redeliver = prepared<Redelivery>()((param) =>
  build
    .updateTable('jobs')
    .set((eb) => ({
      deliveries: eb('deliveries', '+', 1),
      failures: param('failures'),
      crashes: param('crashes'),
      started_at: null,
      // The job is added to its queue right after this statement.
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
