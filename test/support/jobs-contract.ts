import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Queue, type Worker } from 'bullmq';
import { DomainError, systemClock, type JobRun } from '#kernel';
import { PostgresUnitOfWork } from '#adapters/postgres';
import {
  JobRunner,
  QUEUE_OF,
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
    const rows = () =>
      db.query<{ id: number; deliveries: number; attempts: number; failures: number; crashes: number }>(
        'select id, deliveries, attempts, failures, crashes from jobs order by id',
      );

    /** A runner whose generations are run and given up by the given functions. */
    function runnerOf(
      outbox: Outbox,
      run: (generationId: number, run: JobRun) => Promise<void>,
      giveUp: (generationId: number, error: unknown) => Promise<void> = async () => undefined,
    ): { runner: JobRunner; reports: JobReport[] } {
      const reports: JobReport[] = [];
      const nothing = { run: async () => undefined, giveUp: async () => undefined };
      const idle = Object.fromEntries(Object.keys(QUEUE_OF).map((name) => [name, nothing])) as unknown as JobHandlers;
      const handlers: JobHandlers = {
        ...idle,
        'generation.run': {
          run: ({ generationId }, about) => run(generationId, about),
          giveUp: ({ generationId }, error) => giveUp(generationId, error),
        },
      };
      const runner = new JobRunner(db.database, outbox, systemClock, handlers, (report) => reports.push(report));
      return { runner, reports };
    }

    function work(runner: JobRunner): void {
      const worker = openQueueWorker(connection, 'generations', 4, (delivery) => runner.deliver(delivery));
      worker.on('error', () => undefined);
      workers.push(worker);
    }

    /** What the queue would do with the only job there is. */
    async function deliver(runner: JobRunner): Promise<void> {
      const [row] = await rows();
      await runner.deliver({ jobId: row!.id, delivery: row!.deliveries });
    }

    async function until(condition: () => Promise<boolean>): Promise<void> {
      const deadline = Date.now() + 10_000;
      while (!(await condition())) {
        if (Date.now() > deadline) throw new Error('it did not happen within 10 s');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    const allDone = async () => (await rows()).length === 0;

    it('run after the commit that announced them, and never when it was rolled back', async () => {
      const outbox = outboxAt();
      const ran: number[] = [];
      const { runner } = runnerOf(outbox, async (id) => void ran.push(id));
      work(runner);

      const undone = unitOfWork.run(async () => {
        await outbox.announce(job(1));
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      await unitOfWork.run(async () => {
        await outbox.announce(job(2));
        await outbox.announce(job(3));
      });
      await until(allDone);
      expect(ran.sort()).toEqual([2, 3]);
    });

    it('are handed over by the sweep when their process died between commit and queue', async () => {
      const outbox = outboxAt();
      await db.query(
        `insert into jobs (name, payload, due_at, created_at) values ('generation.run', '{"generationId": 7}', now(), now())`,
      );
      const ran: number[] = [];
      work(runnerOf(outbox, async (id) => void ran.push(id)).runner);

      expect(await outbox.sweep()).toBe(1);
      await until(allDone);
      expect(ran).toEqual([7]);
    });

    it('are handed over again when the queue has lost them, and only then do they run again', async () => {
      const clock = new ManualClock(new Date());
      const outbox = outboxAt(clock);
      for (let id = 0; id < 30; id++) await outbox.announce(job(id));
      await outbox.close();
      await queues.generations.obliterate({ force: true });

      clock.advance(19);
      expect(await outbox.sweep()).toBe(0);
      clock.advance(2);
      expect(await outbox.sweep()).toBe(30);
      clock.advance(21);
      expect(await outbox.sweep()).toBe(30);

      const ran: number[] = [];
      work(runnerOf(outbox, async (id) => void ran.push(id)).runner);
      await until(allDone);
      expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, id) => id));
    });

    it('in bulk wait for those that somebody waits for, also when the sweep hands them over', async () => {
      const clock = new ManualClock(new Date());
      const outbox = outboxAt(clock);
      for (let id = 0; id < 20; id++) await outbox.announce(job(id), { bulk: true });
      await outbox.close();
      await queues.generations.obliterate({ force: true });
      clock.advance(21);
      expect(await outbox.sweep()).toBe(20);
      for (let id = 100; id < 104; id++) await outbox.announce(job(id));
      await outbox.close();

      const ran: number[] = [];
      work(runnerOf(outbox, async (id) => void ran.push(id)).runner);
      await until(allDone);
      expect(ran.slice(0, 4).sort()).toEqual([100, 101, 102, 103]);
      expect(ran).toHaveLength(24);
    });

    it('that fail are tried again after a while, and given up after their last failure', async () => {
      const outbox = outboxAt();
      const givenUp: unknown[] = [];
      const { runner, reports } = runnerOf(
        outbox,
        async () => {
          throw new DomainError('unavailable', 'not now');
        },
        async (id, error) => void givenUp.push([id, (error as Error).message]),
      );
      await outbox.announce(job(5));
      for (let failure = 1; failure < MAX_FAILURES; failure++) {
        await deliver(runner);
        expect(await rows()).toMatchObject([{ failures: failure, attempts: failure, crashes: 0 }]);
      }
      expect(givenUp).toEqual([]);
      await deliver(runner);
      expect(givenUp).toEqual([[5, 'not now']]);
      expect(await rows()).toEqual([]);
      expect(reports.map((report) => report.outcome)).toEqual([
        ...Array.from({ length: MAX_FAILURES - 1 }, () => 'retry'),
        'given_up',
      ]);
    });

    it('that can not succeed are given up at once', async () => {
      const outbox = outboxAt();
      const givenUp: number[] = [];
      const { runner } = runnerOf(
        outbox,
        async () => {
          throw Object.assign(new Error('not a picture'), { retryable: false });
        },
        async (id) => void givenUp.push(id),
      );
      await outbox.announce(job(6));
      await deliver(runner);
      expect(givenUp).toEqual([6]);
      expect(await rows()).toEqual([]);
    });

    it('that take their worker down each time are given up, not run for ever', async () => {
      const outbox = outboxAt();
      const givenUp: number[] = [];
      let ran = 0;
      const { runner } = runnerOf(
        outbox,
        async () => void ran++,
        async (id) => void givenUp.push(id),
      );
      await outbox.announce(job(8));
      const [row] = await rows();
      const dieWith = (crashes: number) =>
        db.query('update jobs set crashes = $2, started_at = now() where id = $1', [row!.id, crashes]);

      await dieWith(MAX_CRASHES - 1);
      await deliver(runner);
      expect([ran, givenUp]).toEqual([0, [8]]);

      await outbox.announce(job(9));
      await db.query('update jobs set crashes = $1, started_at = now()', [MAX_CRASHES - 2]);
      await deliver(runner);
      expect([ran, givenUp]).toEqual([1, [8]]);
    });

    it('that a stopping worker hands back count neither as failure nor as crash', async () => {
      const outbox = outboxAt();
      const { runner, reports } = runnerOf(
        outbox,
        (_id, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      );
      await outbox.announce(job(10));
      const delivery = deliver(runner);
      await until(async () => (await rows())[0]!.attempts === 1);
      runner.stop();
      await delivery;
      expect(reports.map((report) => report.outcome)).toEqual(['handed_back']);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 0, crashes: 0 }]);

      const ran: number[] = [];
      work(runnerOf(outbox, async (id) => void ran.push(id)).runner);
      await until(allDone);
      expect(ran).toEqual([10]);
    });

    it('that the queue gives to another worker go back as from a crash, and count no failure', async () => {
      const outbox = outboxAt();
      const lost = new AbortController();
      let started = false;
      const { runner, reports } = runnerOf(
        outbox,
        (_id, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('lost')));
            started = true;
          }),
      );
      await outbox.announce(job(12));
      const [row] = await rows();
      const delivery = runner.deliver({ jobId: row!.id, delivery: row!.deliveries }, lost.signal);
      await until(async () => started);
      lost.abort();
      await delivery;
      expect(reports.map((report) => report.outcome)).toEqual(['handed_back']);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 0, crashes: 1, deliveries: 1 }]);
    });

    it('are not started by a delivery that comes late, after they were handed over anew', async () => {
      const outbox = outboxAt();
      const ran: number[] = [];
      const { runner } = runnerOf(outbox, async (id) => {
        ran.push(id);
        throw new DomainError('unavailable', 'not now');
      });
      await outbox.announce(job(13));
      const [row] = await rows();
      const first = { jobId: row!.id, delivery: row!.deliveries };
      await runner.deliver(first);
      await runner.deliver(first);
      expect(ran).toEqual([13]);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 1, crashes: 0 }]);
    });

    it('that are delivered twice at once have a start of their own each', async () => {
      const outbox = outboxAt();
      const attempts: number[] = [];
      const { runner } = runnerOf(outbox, async (_id, { attempt }) => void attempts.push(attempt));
      await outbox.announce(job(14));
      const [row] = await rows();
      const delivery = { jobId: row!.id, delivery: row!.deliveries };
      await Promise.all([1, 2, 3].map(() => runner.deliver({ ...delivery })));
      expect(attempts).toEqual([...new Set(attempts)]);
      expect(await rows()).toEqual([]);
    });

    it('stay when an older attempt ends after a newer one has begun', async () => {
      const outbox = outboxAt();
      const release: (() => void)[] = [];
      const { runner } = runnerOf(outbox, () => new Promise((resolve) => release.push(resolve)));
      await outbox.announce(job(11));
      const old = deliver(runner);
      await until(async () => release.length === 1);
      const young = deliver(runner);
      await until(async () => release.length === 2);

      release[0]!();
      await old;
      expect(await rows()).toMatchObject([{ attempts: 2 }]);
      release[1]!();
      await young;
      expect(await rows()).toEqual([]);
    });
  });
}
