import type { Queue } from 'bullmq';
import type { Clock, Job, JobName, Jobs } from '#kernel';
import type { Database, PostgresUnitOfWork } from '#adapters/postgres';
import { LANE_OF, LANES, type Lane } from './lanes.ts';

/** What the queue is told of a job; the outbox row has the rest. */
export interface Delivery {
  readonly jobId: number;
  /** Counts the deliveries that were meant to be; one that comes late, after the next, is not started. */
  readonly delivery: number;
}

export type Queues = Readonly<Record<Lane, Queue<Delivery>>>;

/** A job as it is handed to the queue. */
export interface Relayable {
  readonly id: number;
  readonly name: JobName;
  readonly deliveries: number;
  readonly due_at: Date;
  readonly bulk: boolean;
}

/** How long the queue may keep a job to itself before the sweep makes sure that it still has it. */
const RECHECK_SECONDS = 20;
const BATCH = 1000;

/**
 * Jobs on BullMQ by way of an outbox table: the row is committed with the state change that announced it, handed
 * to the queue right after, and stands until the job is done. What the queue loses is handed to it again.
 */
export class Outbox implements Jobs {
  readonly #database: Database;
  readonly #unitOfWork: PostgresUnitOfWork;
  readonly #queues: Queues;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #fresh: Relayable[] = [];
  #relaying: Promise<void> | null = null;

  constructor(
    database: Database,
    unitOfWork: PostgresUnitOfWork,
    queues: Queues,
    clock: Clock,
    onError: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#unitOfWork = unitOfWork;
    this.#queues = queues;
    this.#clock = clock;
    this.#onError = onError;
  }

  async announce(job: Job, options: Parameters<Jobs['announce']>[1] = {}): Promise<void> {
    const now = this.#clock.now();
    const { delaySeconds = 0, bulk = false } = options;
    const dueAt = new Date(now.getTime() + delaySeconds * 1000);
    const [row] = await this.#database.query<{ id: number }>(
      'insert into jobs (name, payload, due_at, created_at, bulk) values ($1, $2, $3, $4, $5) returning id',
      [job.name, JSON.stringify(job.payload), dueAt, now, bulk],
    );
    const relayable = { id: row!.id, name: job.name, deliveries: 0, due_at: dueAt, bulk };
    this.#unitOfWork.afterCommit(() => this.relaySoon(relayable));
  }

  /** Hands a committed job to the queue, together with all others of this moment. Never throws: the sweep follows. */
  relaySoon(job: Relayable): void {
    this.#fresh.push(job);
    this.#relaying ??= Promise.resolve()
      .then(() => this.#relayFresh())
      .catch(this.#onError)
      .finally(() => (this.#relaying = null));
  }

  async #relayFresh(): Promise<void> {
    while (this.#fresh.length > 0) await this.#relay(this.#fresh.splice(0, BATCH));
  }

  async #relay(jobs: readonly Relayable[]): Promise<void> {
    const now = this.#clock.now();
    await Promise.all(
      LANES.map(async (lane) => {
        const mine = jobs.filter((job) => LANE_OF[job.name] === lane);
        if (mine.length === 0) return;
        await this.#queues[lane].addBulk(
          mine.map((job) => ({
            name: job.name,
            data: { jobId: job.id, delivery: job.deliveries },
            opts: {
              // The queue takes the same id only once: handing a job over again is harmless.
              jobId: `job-${job.id}-${job.deliveries}`,
              delay: Math.max(0, job.due_at.getTime() - now.getTime()),
              // Any priority comes after none.
              ...(job.bulk ? { priority: 1 } : {}),
              removeOnComplete: true,
              removeOnFail: true,
            },
          })),
        );
      }),
    );
    await this.#database.query(RELAYED, [jobs.map((job) => job.id), now]);
  }

  /**
   * Relays what was not relayed after its commit (its process died), and what was relayed a while ago and is
   * still not done, in case that the queue has lost it. Cheap when there is nothing: two index look-ups.
   *
   * @returns how many jobs were handed over
   */
  async sweep(): Promise<number> {
    let handed = 0;
    const recheckBefore = new Date(this.#clock.now().getTime() - RECHECK_SECONDS * 1000);
    for (;;) {
      const jobs = await this.#database.query<Relayable>(
        `(select id, name, deliveries, due_at, bulk from jobs where relayed_at is null order by due_at, id limit $2)
         union all
         (select id, name, deliveries, due_at, bulk from jobs where relayed_at < $1 order by relayed_at, id limit $2)`,
        [recheckBefore, BATCH],
      );
      if (jobs.length > 0) await this.#relay(jobs);
      handed += jobs.length;
      if (jobs.length < BATCH) return handed;
    }
  }

  /** Waits for what is being handed over. */
  async close(): Promise<void> {
    await this.#relaying;
  }
}

// In the order of their ids, as whoever starts or ends several at once.
const RELAYED = `
  with handed as (select id from jobs where id = any($1) order by id for no key update)
  update jobs set relayed_at = $2 from handed where jobs.id = handed.id`;
