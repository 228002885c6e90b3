import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { PostgresUnitOfWork } from '#adapters/postgres';
import {
  connectQueueToPostgres,
  connectQueueToRedis,
  JobRunner,
  QUEUES,
  migrateQueue,
  openQueueWorker,
  Outbox,
  readyQueues,
  type Delivery,
  type JobHandlers,
  type JobReport,
  type QueueConnection,
} from '#adapters/queue';
import { connectRedis } from '#adapters/redis';
import { systemClock } from '#kernel';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { report } from './contest.ts';
import { load, median, percentiles, quantile, timed } from './measure.ts';

const JOBS = Number(process.env.JOBS ?? 10_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CALLERS = 64;
/** The most that a worker can be set to. */
const CONCURRENCY = 64;
const LEAST_SHARE = 0.7;

/** Jobs that are announced each to an empty queue. */
const ALONE = 200;
/** From the commit to the start of the job. */
const MOST_WAIT_MS = 150;

/**
 * Jobs that do nothing, announced one by one by many callers, through outbox, queue and worker, against the same by
 * BullMQ alone on the same backend, in turns, until the queue is empty. Redis or Valkey, emptied by this, where REDIS_URL
 * names one.
 */
await onBenchDatabase(
  async (postgres) => {
    await migrateQueue(postgres.url);
    let isOpen = true;
    // A connection that is being closed may still hear that the server stops.
    const onError = (error: Error) => isOpen && fail(error);
    const onPostgres = connectQueueToPostgres(postgres.url, { poolSize: 10, onError });
    await compare('PostgreSQL', postgres, onPostgres);
    isOpen = false;
    await onPostgres.close();

    if (!process.env.REDIS_URL) return console.log('REDIS_URL is not set: Redis is left out');
    const redis = await connectRedis(process.env.REDIS_URL, { onError: fail });
    await redis.client.flushdb();
    await compare('Redis', postgres, connectQueueToRedis(redis));
    redis.close();
  },
  { poolSize: 10 },
);

async function compare(name: string, postgres: BenchDatabase, queue: QueueConnection): Promise<void> {
  const rates: [ours: number[], bare: number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = JOBS / (await bareSeconds(queue));
    const ours = JOBS / (await ourSeconds(postgres, queue));
    rates[0].push(ours);
    rates[1].push(bare);
  }
  const [ours, bare] = rates.map((each) => median(each)) as [number, number];
  const standings = [
    { name: 'ours', perSecond: ours },
    { name: 'BullMQ alone', perSecond: bare },
  ];
  report(`jobs on ${name}`, LEAST_SHARE, standings);
  const waits = await waitsAlone(postgres, queue);
  console.log(`${name}: a job in an empty queue starts after ${percentiles(waits)} (p99 at most ${MOST_WAIT_MS} ms)`);
  if (quantile(waits, 0.99) > MOST_WAIT_MS) process.exitCode = 1;
  const waited = await secondsBesideFlood(postgres, queue);
  console.log(`${name}: a job beside 500 of another workspace started after ${waited.toFixed(3)} s`);
}

async function bareSeconds(connection: QueueConnection): Promise<number> {
  const queue = new Queue('bare', connection.queues);
  await queue.waitUntilReady();
  const done = countdown();
  const worker = new Worker('bare', async () => done.one(), { ...connection.workers(), concurrency: CONCURRENCY });
  worker.on('error', fail);
  await worker.waitUntilReady();
  const milliseconds = await timed(async () => {
    await load({ callers: CALLERS, times: JOBS }, (id) => queue.add('nothing', { id }, { removeOnComplete: true }));
    await done.all;
    await emptied(queue);
  });
  await worker.close();
  await queue.close();
  return milliseconds / 1000;
}

async function ourSeconds(postgres: BenchDatabase, connection: QueueConnection): Promise<number> {
  const done = countdown();
  let milliseconds = 0;
  const options = { concurrency: CONCURRENCY, limit: CONCURRENCY, run: async () => undefined, done: done.one };
  await withWorker(postgres, connection, options, async (announce, queue) => {
    milliseconds = await timed(async () => {
      await load({ callers: CALLERS, times: JOBS }, (id) => announce(id, 1 + (id % 8)));
      await done.all;
      await emptied(queue);
    });
  });
  return milliseconds / 1000;
}

/** Resolves when nothing waits or runs, the tickets that find no job included. */
async function emptied(queue: Queue): Promise<void> {
  while ((await queue.getJobCountByTypes('waiting', 'active')) > 0) await sleep(20);
}

/** Milliseconds from the commit of a job to its start, one after another. */
async function waitsAlone(postgres: BenchDatabase, connection: QueueConnection): Promise<number[]> {
  const waits: number[] = [];
  let started = Promise.withResolvers<void>();
  const run = async () => started.resolve();
  await withWorker(
    postgres,
    connection,
    { concurrency: 4, limit: 4, run, done: () => undefined },
    async (announce, queue) => {
      for (let id = 0; id < ALONE; id++) {
        started = Promise.withResolvers();
        await announce(id, 1);
        waits.push(await timed(() => started.promise));
        await emptied(queue);
      }
    },
  );
  return waits;
}

/** Seconds that a job waits behind 500 jobs of another workspace, of 50 ms each, for a worker that runs four jobs. */
async function secondsBesideFlood(postgres: BenchDatabase, connection: QueueConnection): Promise<number> {
  const started = Promise.withResolvers<void>();
  const done = countdown(501);
  const run = async ({ generationId }: { readonly generationId: number }) => {
    if (generationId === 1000) started.resolve();
    await sleep(50);
  };
  let milliseconds = 0;
  await withWorker(postgres, connection, { concurrency: 4, limit: 2, run, done: done.one }, async (announce) => {
    await load({ callers: CALLERS, times: 500 }, (id) => announce(id, 1));
    milliseconds = await timed(async () => {
      await announce(1000, 2);
      await started.promise;
    });
    await done.all;
  });
  return milliseconds / 1000;
}

interface WorkerOptions {
  readonly concurrency: number;
  readonly limit: number;
  readonly run: JobHandlers['generation.run']['run'];
  readonly done: () => void;
}

/** Runs `work`, which announces jobs, beside a worker of its own. */
async function withWorker(
  { database, one }: BenchDatabase,
  connection: QueueConnection,
  { concurrency, limit, run, done }: WorkerOptions,
  work: (
    announce: (generationId: number, workspaceId: number) => Promise<void>,
    queue: Queue<Delivery>,
  ) => Promise<void>,
): Promise<void> {
  const unitOfWork = new PostgresUnitOfWork(database);
  const queues = await readyQueues(
    QUEUES.map((name) => new Queue<Delivery>(name, connection.queues)),
    fail,
  );
  const outbox = new Outbox(database, unitOfWork, queues, systemClock, fail);
  const handlers = { 'generation.run': { run, failed: async () => undefined } } as unknown as JobHandlers;
  const report = ({ outcome }: JobReport) => {
    if (outcome !== 'done') fail(outcome);
    done();
  };
  const limits = { generations: limit, outputs: 1, pictures: 1, mail: 1, webhooks: 1, exports: 1, housekeeping: 1 };
  const runner = new JobRunner(database, outbox, systemClock, handlers, report, limits);
  const worker = openQueueWorker(connection, 'generations', concurrency, runner);
  worker.on('error', fail);
  await worker.waitUntilReady();
  await work(
    (generationId, workspaceId) => outbox.announce({ name: 'generation.run', payload: { generationId }, workspaceId }),
    queues.generations,
  );
  const left = await one<{ count: number }>('select count(*) as count from jobs');
  if (left!.count > 0) fail(`${left!.count} jobs are left`);
  await worker.close();
  await outbox.close();
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
}

function countdown(left = JOBS): { readonly all: Promise<void>; one(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    all: promise,
    one: () => {
      if (--left === 0) resolve();
    },
  };
}

function fail(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}
