import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { Queue, type Worker } from 'bullmq';
import { noTracing, systemClock, type JobRun } from '#kernel';
import { PostgresUnitOfWork } from '#adapters/postgres';
import {
  JobRunner,
  QUEUES,
  openQueueWorker,
  Outbox,
  readyQueues,
  ticketOf,
  type Delivery,
  type JobHandlers,
  type JobReport,
  type QueueConnection,
  type Queues,
  type Ticket,
} from '#adapters/queue';
import { ManualClock } from '#testing/kernel';
import { createDatabase, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';

export type Run = (generationId: number, run: JobRun) => Promise<void> | void;

export const job = (generationId: number, workspaceId = 1) =>
  ({ name: 'generation.run', payload: { generationId }, workspaceId }) as const;
const NO_LIMIT = 1000;

export type Connect = (db: TestDatabase) => QueueConnection | Promise<QueueConnection>;

/** A run that fails. */
export const notNow = () => {
  throw new Error('not now');
};

/** Gives a suite a database and a queue for this suite only, with outboxes and workers. */
export function jobsStage(connect: Connect) {
  let db: TestDatabase;
  let connection: QueueConnection;
  let queues: Queues;
  let unitOfWork: PostgresUnitOfWork;
  let workers: Worker[] = [];

  beforeAll(async () => {
    db = await createDatabase();
    unitOfWork = new PostgresUnitOfWork(db.database);
    connection = await connect(db);
    queues = await readyQueues(
      QUEUES.map((name) => new Queue<Delivery>(name, connection.queues)),
      () => undefined,
    );
  });
  beforeEach(async () => {
    await db.query('delete from jobs');
    await queues.generations.obliterate({ force: true });
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    workers = [];
  });
  afterAll(async () => {
    await Promise.all(Object.values(queues).map((queue) => queue.close()));
    await connection.close();
    await db.drop();
  });

  const outboxAt = (clock = systemClock) =>
    new Outbox(db.database, unitOfWork, queues, clock, (error) => {
      throw error;
    });
  const rows = () => db.query<{ id: number; deliveries: number; attempts: number }>('select * from jobs order by id');

  /** A runner of generations, the outcomes that it reports with their causes, and ids and messages of failed jobs. */
  function runnerOf(outbox: Outbox, run: Run, limit = NO_LIMIT, beyond?: number) {
    const outcomes: string[] = [];
    const causes: string[] = [];
    const failed: [number, string][] = [];
    const handlers: Partial<JobHandlers> = {
      'generation.run': {
        run: async ({ generationId }, about) => run(generationId, about),
        failed: async ({ generationId }, error) => void failed.push([generationId, (error as Error).message]),
      },
    };
    const report = ({ outcome, cause }: JobReport) => {
      outcomes.push(outcome);
      if (cause) causes.push(cause);
    };
    const limits = { generations: limit, outputs: 1, pictures: 1, mail: 1, webhooks: 1, exports: 1, housekeeping: 1 };
    const above = beyond === undefined ? {} : { generations: beyond };
    const of = [db.database, outbox, systemClock, handlers as JobHandlers, report, limits] as const;
    const runner = new JobRunner(...of, noTracing, above);
    return { runner, outcomes, causes, failed };
  }

  /** Announces a generation. Returns the outbox and a runner for it. */
  async function announced(id: number, run: Run) {
    const outbox = outboxAt();
    await outbox.announce(job(id));
    return { outbox, ...runnerOf(outbox, run) };
  }

  /** An outbox whose queue has lost `count` announced jobs, and its clock. */
  async function withoutQueue(count: number, options?: { readonly bulk: boolean }) {
    const clock = new ManualClock(new Date());
    const outbox = outboxAt(clock);
    for (let id = 0; id < count; id++) await outbox.announce(job(id), options);
    await outbox.close();
    await queues.generations.obliterate({ force: true });
    return { clock, outbox };
  }

  /** Starts a worker and returns the generations it has run. */
  function work(
    outbox: Outbox,
    run: Run = () => undefined,
    {
      limit = NO_LIMIT,
      beyond,
      concurrency = 4,
      queue = connection,
    }: { limit?: number; beyond?: number; concurrency?: number; queue?: QueueConnection } = {},
  ): number[] {
    const ran: number[] = [];
    const start: Run = (id, about) => {
      ran.push(id);
      return run(id, about);
    };
    const { runner } = runnerOf(outbox, start, limit, beyond);
    const worker = openQueueWorker(queue, 'generations', concurrency, runner);
    worker.on('error', () => undefined);
    workers.push(worker);
    return ran;
  }

  /** The current ticket of the oldest job. */
  async function nextTicket(): Promise<Ticket> {
    const [row] = await rows();
    const { id: jobId, deliveries: delivery } = row!;
    return { id: ticketOf(jobId, delivery), queue: 'generations', jobId, delivery };
  }
  const deliver = async (runner: JobRunner) => runner.deliver(await nextTicket());

  const until = (condition: () => Promise<boolean> | boolean) => eventually(condition, { everyMs: 20 });
  const allDone = () => until(async () => (await rows()).length === 0);

  return {
    /** The database of the queue. */
    get db() {
      return db;
    },
    get queues() {
      return queues;
    },
    get connection() {
      return connection;
    },
    get unitOfWork() {
      return unitOfWork;
    },
    /** Ends the last worker as a killed process does: its job stays started. */
    killWorker: () => workers.pop()!.close(true),
    outboxAt,
    rows,
    runnerOf,
    announced,
    withoutQueue,
    work,
    nextTicket,
    deliver,
    until,
    allDone,
  };
}

export type JobsStage = ReturnType<typeof jobsStage>;
