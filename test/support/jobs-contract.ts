import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, type Worker } from 'bullmq';
import { DomainError, systemClock, type JobRun } from '#kernel';
import { PostgresUnitOfWork } from '#adapters/postgres';
import {
  JobRunner,
  QUEUES,
  MAX_CRASHES,
  MAX_FAILURES,
  openQueueWorker,
  Outbox,
  readyQueues,
  type Delivery,
  type JobHandlers,
  type JobReport,
  type QueueConnection,
  type Queues,
} from '#adapters/queue';
import { ManualClock } from '#testing/kernel';
import { createDatabase, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';

const job = (generationId: number) => ({ name: 'generation.run', payload: { generationId } }) as const;

/**
 * What holds for jobs wherever their queue is.
 *
 * @param connect a queue for this suite alone, on `db` where it is in PostgreSQL
 */
export function jobsContract(
  name: string,
  connect: (db: TestDatabase) => QueueConnection | Promise<QueueConnection>,
): void {
  describe(name, () => {
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

    /** A runner of generations, the outcomes it reports, and what it gave up: ids and messages. */
    function runnerOf(outbox: Outbox, run: (generationId: number, run: JobRun) => Promise<void> | void) {
      const outcomes: string[] = [];
      const givenUp: [number, string][] = [];
      const handlers: Partial<JobHandlers> = {
        'generation.run': {
          run: async ({ generationId }, about) => run(generationId, about),
          giveUp: async ({ generationId }, error) => void givenUp.push([generationId, (error as Error).message]),
        },
      };
      const report = ({ outcome }: JobReport) => void outcomes.push(outcome);
      const runner = new JobRunner(db.database, outbox, systemClock, handlers as JobHandlers, report);
      return { runner, outcomes, givenUp };
    }

    /** Announces the generation, and a runner for it. */
    async function announced(id: number, run: (generationId: number, run: JobRun) => Promise<void> | void) {
      const outbox = outboxAt();
      await outbox.announce(job(id));
      return { outbox, ...runnerOf(outbox, run) };
    }

    /** An outbox whose queue has lost so many jobs that it was given, and its clock. */
    async function forgotten(count: number, options?: { readonly bulk: boolean }) {
      const clock = new ManualClock(new Date());
      const outbox = outboxAt(clock);
      for (let id = 0; id < count; id++) await outbox.announce(job(id), options);
      await outbox.close();
      await queues.generations.obliterate({ force: true });
      return { clock, outbox };
    }

    /** Starts a worker and returns the generations it has run. */
    function work(outbox: Outbox): number[] {
      const ran: number[] = [];
      const { runner } = runnerOf(outbox, (id) => void ran.push(id));
      const worker = openQueueWorker(connection, 'generations', 4, (delivery) => runner.deliver(delivery));
      worker.on('error', () => undefined);
      workers.push(worker);
      return ran;
    }

    /** What the queue would deliver now of the only job there is. */
    async function nextDelivery(): Promise<Delivery> {
      const [row] = await rows();
      return { jobId: row!.id, delivery: row!.deliveries };
    }
    const deliver = async (runner: JobRunner) => runner.deliver(await nextDelivery());

    const until = (condition: () => Promise<boolean> | boolean) => eventually(condition, { seconds: 10, everyMs: 20 });
    const allDone = () => until(async () => (await rows()).length === 0);
    const notNow = () => {
      throw new DomainError('unavailable', 'not now');
    };
    /** A job that ends only when its signal is aborted, by failing. */
    const untilAborted = (_id: number, { signal }: JobRun) => sleep<void>(60_000, undefined, { signal });

    it('run after the commit that announced them, and never when it was rolled back', async () => {
      const outbox = outboxAt();
      const ran = work(outbox);
      const undone = unitOfWork.run(async () => {
        await outbox.announce(job(1));
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      await unitOfWork.run(async () => {
        await outbox.announce(job(2));
        await outbox.announce(job(3));
      });
      await allDone();
      expect(ran.sort()).toEqual([2, 3]);
    });

    it('are handed over by the sweep when their process died between commit and queue', async () => {
      const outbox = outboxAt();
      await db.query(
        `insert into jobs (name, payload, due_at, created_at) values ('generation.run', '{"generationId": 7}', now(), now())`,
      );
      const ran = work(outbox);
      expect(await outbox.sweep()).toBe(1);
      await allDone();
      expect(ran).toEqual([7]);
    });

    it('are handed over again when the queue has lost them, and only then do they run again', async () => {
      const { clock, outbox } = await forgotten(30);
      for (const [seconds, added] of [
        [19, 0],
        [2, 30],
        [21, 30],
      ] as const) {
        clock.advance(seconds);
        expect(await outbox.sweep()).toBe(added);
      }
      const ran = work(outbox);
      await allDone();
      expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, id) => id));
    });

    it('in bulk wait for those that somebody waits for, also when the sweep hands them over', async () => {
      const { clock, outbox } = await forgotten(20, { bulk: true });
      clock.advance(21);
      expect(await outbox.sweep()).toBe(20);
      for (let id = 100; id < 104; id++) await outbox.announce(job(id));
      await outbox.close();

      const ran = work(outbox);
      await allDone();
      expect(ran.slice(0, 4).sort()).toEqual([100, 101, 102, 103]);
      expect(ran).toHaveLength(24);
    });

    it('that fail are tried again after a while, and given up after their last failure', async () => {
      const { runner, outcomes, givenUp } = await announced(5, notNow);
      for (let failure = 1; failure < MAX_FAILURES; failure++) {
        await deliver(runner);
        expect(await rows()).toMatchObject([{ failures: failure, attempts: failure, crashes: 0 }]);
      }
      expect(givenUp).toEqual([]);
      await deliver(runner);
      expect([givenUp, await rows()]).toEqual([[[5, 'not now']], []]);
      expect(outcomes).toEqual([...Array<string>(MAX_FAILURES - 1).fill('retry'), 'given_up']);
    });

    it('that can not succeed are given up at once', async () => {
      const { runner, givenUp } = await announced(6, () => {
        throw Object.assign(new Error('not a picture'), { retryable: false });
      });
      await deliver(runner);
      expect([givenUp, await rows()]).toEqual([[[6, 'not a picture']], []]);
    });

    it('that take their worker down each time are given up, not run for ever', async () => {
      const outbox = outboxAt();
      let ran = 0;
      const { runner, givenUp } = runnerOf(outbox, () => void ran++);
      for (const [id, crashes, runs] of [
        [8, MAX_CRASHES - 1, 0],
        [9, MAX_CRASHES - 2, 1],
      ] as const) {
        await outbox.announce(job(id));
        await db.query('update jobs set crashes = $1, started_at = now()', [crashes]);
        await deliver(runner);
        expect(ran).toBe(runs);
        expect(givenUp.map(([id]) => id)).toEqual([8]);
      }
    });

    it('that a stopping worker hands back count neither as failure nor as crash', async () => {
      const { outbox, runner, outcomes } = await announced(10, untilAborted);
      const delivery = deliver(runner);
      await until(async () => (await rows())[0]!.attempts === 1);
      runner.stop();
      await delivery;
      expect(outcomes).toEqual(['handed_back']);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 0, crashes: 0 }]);

      const ran = work(outbox);
      await allDone();
      expect(ran).toEqual([10]);
    });

    it('that the queue gives to another worker go back as from a crash, and count no failure', async () => {
      const { runner, outcomes } = await announced(12, untilAborted);
      const lost = new AbortController();
      const delivery = runner.deliver(await nextDelivery(), lost.signal);
      await until(async () => (await rows())[0]!.attempts === 1);
      lost.abort();
      await delivery;
      expect(outcomes).toEqual(['handed_back']);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 0, crashes: 1, deliveries: 1 }]);
    });

    it('are not started by a delivery that comes late, after they were handed over anew', async () => {
      const ran: number[] = [];
      const { runner } = await announced(13, (id) => {
        ran.push(id);
        notNow();
      });
      const first = await nextDelivery();
      await runner.deliver(first);
      await runner.deliver(first);
      expect(ran).toEqual([13]);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 1, crashes: 0 }]);
    });

    it('that are delivered twice at once have a start of their own each', async () => {
      const attempts: number[] = [];
      const { runner } = await announced(14, (_id, { attempt }) => void attempts.push(attempt));
      const delivery = await nextDelivery();
      await Promise.all([1, 2, 3].map(() => runner.deliver({ ...delivery })));
      expect(attempts).toEqual([...new Set(attempts)]);
      expect(await rows()).toEqual([]);
    });

    it('stay when an older attempt ends after a newer one has begun', async () => {
      const release: (() => void)[] = [];
      const { runner } = await announced(11, () => new Promise((resolve) => release.push(resolve)));
      const old = deliver(runner);
      await until(() => release.length === 1);
      const young = deliver(runner);
      await until(() => release.length === 2);

      release[0]!();
      await old;
      expect(await rows()).toMatchObject([{ attempts: 2 }]);
      release[1]!();
      await young;
      expect(await rows()).toEqual([]);
    });
  });
}
