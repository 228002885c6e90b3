import { sql } from 'kysely';
import { anyOf, build, insertFrom, prepared, type Database, type PostgresUnitOfWork } from '#adapters/postgres';
import {
  noTracing,
  type BatchJobs,
  type Clock,
  type Job,
  type JobName,
  type JobPayloads,
  type Jobs,
  type Tracing,
} from '#kernel';
import { lockQueue } from './job-queues.ts';
import { QUEUE_OF, ticketOf, type QueueName, type Queues } from './queues.ts';

/** A job to add to its queue. */
export interface PendingJob {
  readonly id: number;
  readonly name: JobName;
  readonly deliveries: number;
  readonly queue: QueueName;
  readonly due_at: Date;
  /** The ticket that has started the job. */
  readonly ticket: string | null;
}

/** The payload in the row of a job. */
export type TracedPayload = JobPayloads[JobName] & { readonly traceparent?: string };

/** Age in the queue after which the sweep adds a job again, in case the queue has lost it. */
const RECHECK_SECONDS = 20;
const GROUP_SIZE = 1000;

/**
 * An outbox for BullMQ. The row of a job is committed with the change that announces it, added to its queue right after
 * the commit, and deleted when the job has ended. Jobs that the queue loses are added again.
 *
 * The queue delivers tickets: a ticket wakes a worker, which runs the next jobs until none may start.
 */
export class Outbox implements Jobs, BatchJobs {
  #committed: PendingJob[] = [];
  #relaying: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: PostgresUnitOfWork,
    private readonly queues: Queues,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
    private readonly tracing: Tracing = noTracing,
  ) {}

  async announce(
    job: Job,
    { delaySeconds = 0, bulk = false, traceparent: parent, batchId = null }: Parameters<Jobs['announce']>[1] = {},
  ): Promise<void> {
    const { name, payload, workspaceId } = job;
    await this.#announce({ name, payloads: [payload], workspaceId, bulk, batchId }, delaySeconds, parent);
  }

  announceAll<Name extends JobName>(
    name: Name,
    payloads: readonly JobPayloads[Name][],
    workspaceId: number,
    { batchId }: { readonly batchId: number },
  ): Promise<void> {
    return this.#announce({ name, payloads, workspaceId, bulk: false, batchId }, 0);
  }

  /** Under the lock of the queue, as all that changes several waiting jobs. */
  withdraw(batchId: number): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.database.run(lockQueue, { queue: QUEUE_OF['generation.run'] });
      await this.database.run(withdrawJobs, { batchId });
    });
  }

  async #announce(
    { payloads, ...jobs }: Announced & { readonly payloads: readonly JobPayloads[JobName][] },
    delaySeconds: number,
    parent?: string,
  ): Promise<void> {
    const now = this.clock.now();
    const due_at = new Date(now.getTime() + delaySeconds * 1000);
    const rows = await this.tracing.span(
      `announce ${jobs.name}`,
      { kind: 'producer', parent, onlyWithin: true },
      () => {
        const traceparent = this.tracing.current();
        const traced = payloads.map((payload) => (traceparent === undefined ? payload : { ...payload, traceparent }));
        const values = { ...jobs, queue: QUEUE_OF[jobs.name], due_at, now };
        return this.database.run(insertJobs, { ...values, payloads: JSON.stringify(traced) });
      },
    );
    this.unitOfWork.afterCommit(() => rows.forEach((row) => this.relaySoon(row)));
  }

  /** Adds a committed job to its queue, together with other jobs committed now. Never throws: the sweep retries. */
  relaySoon(job: PendingJob): void {
    this.#committed.push(job);
    this.#relaying ??= Promise.resolve()
      .then(() => this.#relayCommitted())
      .catch(this.onError)
      .finally(() => (this.#relaying = null));
  }

  async #relayCommitted(): Promise<void> {
    while (this.#committed.length > 0) {
      const jobs = this.#committed.splice(0, GROUP_SIZE);
      try {
        await this.#relay(jobs, { isNew: true });
      } catch (error) {
        await this.#mark(jobs, null);
        throw error;
      }
    }
  }

  async #relay(jobs: readonly PendingJob[], { isNew }: { readonly isNew: boolean }): Promise<void> {
    const now = this.clock.now();
    const byQueue = Map.groupBy(jobs, (job) => job.queue);
    await Promise.all(
      [...byQueue].map(([queue, mine]) => this.queues[queue].addBulk(mine.map((job) => queueEntry(job, now, isNew)))),
    );
  }

  async #mark(jobs: readonly PendingJob[], at: Date | null): Promise<void> {
    await this.database.run(markRelayed, { ids: jobs.map((job) => job.id), at });
  }

  /**
   * Adds the jobs that were not added after their commit, and jobs that have not ended for a while: their process may have
   * died, or the queue may have lost them. Without such jobs it costs two index look-ups.
   *
   * @returns the number of added jobs
   */
  async sweep(): Promise<number> {
    let added = 0;
    const before = new Date(this.clock.now().getTime() - RECHECK_SECONDS * 1000);
    for (;;) {
      const jobs = await this.database.run(findUndone, { before, limit: GROUP_SIZE });
      if (jobs.length > 0) {
        await this.#relay(jobs, { isNew: false });
        await this.#mark(jobs, this.clock.now());
      }
      added += jobs.length;
      if (jobs.length < GROUP_SIZE) return added;
    }
  }

  /** Waits until pending jobs are added. */
  async close(): Promise<void> {
    await this.#relaying;
  }
}

function queueEntry(job: PendingJob, now: Date, isNew: boolean) {
  return {
    name: job.name,
    data: { jobId: job.id, delivery: job.deliveries, isNew },
    opts: {
      // The queue ignores an id that it has already, so that adding a job again is harmless.
      jobId: job.ticket ?? ticketOf(job.id, job.deliveries),
      delay: Math.max(0, job.due_at.getTime() - now.getTime()),
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}

const PENDING = ['id', 'name', 'queue', 'deliveries', 'due_at', 'ticket'] as const;

interface Announced extends Pick<Job, 'name' | 'workspaceId'> {
  readonly bulk: boolean;
  readonly batchId: number | null;
}

interface Added extends Announced {
  /** A list as JSON. */
  payloads: string;
  queue: QueueName;
  due_at: Date;
  now: Date;
}

/** Adds jobs in the order of their payloads. */
const insertJobs = prepared<Added>()((param) =>
  insertFrom(
    build.insertInto('jobs'),
    (eb) =>
      eb
        .selectFrom(
          sql<{
            payload: TracedPayload;
            nth: number;
          }>`jsonb_array_elements(${param('payloads')}::jsonb) with ordinality`.as<'added'>(sql`added (payload, nth)`),
        )
        .orderBy('added.nth'),
    (added) => ({
      ...param.columns('name', 'bulk', 'queue', 'workspaceId', 'batchId'),
      payload: added.ref('added.payload'),
      due_at: param('due_at'),
      created_at: param('now'),
      // The job is added to its queue right after the commit.
      relayed_at: param('now'),
    }),
  ).returning(PENDING),
);

const withdrawJobs = prepared<{ batchId: number }>()((param) =>
  build
    .deleteFrom('jobs')
    .where((eb) => eb.and({ batch_id: param('batchId'), name: 'generation.run', attempts: 0 }))
    .where('started_at', 'is', null),
);

/** Skips locked jobs instead of waiting, because starts lock jobs in the order of their turns. */
const markRelayed = prepared<{ ids: readonly number[]; at: Date | null }>()((param) =>
  build
    .with('relayed', (db) =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('id', '=', anyOf(param('ids')))
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable('jobs')
    .from('relayed')
    .set({ relayed_at: param('at') })
    .whereRef('jobs.id', '=', 'relayed.id'),
);

const findUndone = prepared<{ before: Date; limit: number }>()((param) => {
  const jobs = build.selectFrom('jobs').select(PENDING).limit(param('limit'));
  const unrelayed = jobs.where('relayed_at', 'is', null).orderBy('due_at').orderBy('id');
  const stale = jobs.where('relayed_at', '<', param('before')).orderBy('relayed_at').orderBy('id');
  return build
    .selectFrom(unrelayed.as('unrelayed'))
    .selectAll()
    .unionAll(build.selectFrom(stale.as('stale')).selectAll());
});
