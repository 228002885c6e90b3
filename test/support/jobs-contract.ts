import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, type Worker } from 'bullmq';
import { JobPostponed, systemClock, type JobRun } from '#kernel';
import { PostgresUnitOfWork } from '#adapters/postgres';
import {
  JobRunner,
  QUEUES,
  MAX_CRASHES,
  MAX_FAILURES,
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

type Run = (generationId: number, run: JobRun) => Promise<void> | void;

const job = (generationId: number, workspaceId = 1) =>
  ({ name: 'generation.run', payload: { generationId }, workspaceId }) as const;
const NO_LIMIT = 1000;

/**
 * Contract suite of jobs, for queues in PostgreSQL and in Redis.
 *
 * @param connect opens a queue for this suite only; a queue in PostgreSQL is on `db`
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

    /** A runner of generations, the outcomes that it reports with their causes, and ids and messages of failed jobs. */
    function runnerOf(outbox: Outbox, run: Run, limit = NO_LIMIT) {
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
      const limits = { generations: limit, outputs: 1, pictures: 1, mail: 1, webhooks: 1, housekeeping: 1 };
      const runner = new JobRunner(db.database, outbox, systemClock, handlers as JobHandlers, report, limits);
      return { runner, outcomes, causes, failed };
    }

    /** Announces a generation. Returns the outbox and a runner for it. */
    async function announced(id: number, run: Run) {
      const outbox = outboxAt();
      await outbox.announce(job(id));
      return { outbox, ...runnerOf(outbox, run) };
    }

    /** An outbox whose queue has lost `count` announced jobs, and its clock. */
    async function forgotten(count: number, options?: { readonly bulk: boolean }) {
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
      { limit = NO_LIMIT, concurrency = 4, queue = connection } = {},
    ): number[] {
      const ran: number[] = [];
      const start: Run = (id, about) => {
        ran.push(id);
        return run(id, about);
      };
      const { runner } = runnerOf(outbox, start, limit);
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

    const until = (condition: () => Promise<boolean> | boolean) => eventually(condition, { seconds: 10, everyMs: 20 });
    const allDone = () => until(async () => (await rows()).length === 0);
    const notNow = () => {
      throw new Error('not now');
    };
    /** A job that ends only when its signal is aborted, by failing. */
    const untilAborted = (_id: number, { signal }: JobRun) => sleep<void>(60_000, undefined, { signal });

    it('run after the commit that announced them, and never after a rollback', async () => {
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

    it('are queued by the sweep if their process died between commit and queue', async () => {
      const outbox = outboxAt();
      await db.query(
        `insert into jobs (name, queue, payload, due_at, created_at)
         values ('generation.run', 'generations', '{"generationId": 7}', now(), now())`,
      );
      const ran = work(outbox);
      expect(await outbox.sweep()).toBe(1);
      await allDone();
      expect(ran).toEqual([7]);
    });

    it('are queued again, and run again, only if the queue has lost them', async () => {
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

    it('start again after the sweep if their worker and the queue died together', async () => {
      const { clock, outbox } = await forgotten(1);
      await db.query(`update jobs set started_at = now(), attempts = 1, ticket = $1`, [(await nextTicket()).id]);
      clock.advance(21);
      await outbox.sweep();
      const ran = work(outbox);
      await allDone();
      expect(ran).toEqual([0]);
    });

    it('are queued by the next sweep if the queue was unreachable', async () => {
      const away = {
        ...queues,
        generations: { addBulk: () => Promise.reject(new Error('away')) },
      } as unknown as Queues;
      const errors: unknown[] = [];
      const outbox = new Outbox(db.database, unitOfWork, away, systemClock, (error) => errors.push(error));
      await outbox.announce(job(1));
      await outbox.close();
      expect(errors).toMatchObject([{ message: 'away' }]);
      expect(await outboxAt().sweep()).toBe(1);
    });

    it('in bulk run after interactive jobs, also when the sweep queues them', async () => {
      const { clock, outbox: lost } = await forgotten(20, { bulk: true });
      clock.advance(21);
      expect(await lost.sweep()).toBe(20);
      const outbox = outboxAt();
      for (let id = 100; id < 104; id++) await outbox.announce(job(id));
      await outbox.close();

      const ran = work(outbox);
      await allDone();
      expect(ran.slice(0, 4).sort()).toEqual([100, 101, 102, 103]);
      expect(ran).toHaveLength(24);
    });

    it('are retried after a failure with a delay, and fail after the last attempt', async () => {
      const { runner, outcomes, failed } = await announced(5, notNow);
      for (let failure = 1; failure < MAX_FAILURES; failure++) {
        await deliver(runner);
        expect(await rows()).toMatchObject([{ failures: failure, attempts: failure, crashes: 0 }]);
      }
      expect(failed).toEqual([]);
      await deliver(runner);
      expect([failed, await rows()]).toEqual([[[5, 'not now']], []]);
      expect(outcomes).toEqual([...Array<string>(MAX_FAILURES - 1).fill('retry'), 'failed']);
    });

    it('can be postponed any number of times without failing', async () => {
      const { runner, outcomes, failed } = await announced(5, () => {
        throw new JobPostponed('another worker can do it', 30);
      });
      for (let attempt = 1; attempt <= MAX_FAILURES + 1; attempt++) {
        await deliver(runner);
        const [row] = await db.query<{ wait: number }>(
          'select extract(epoch from due_at - now())::float8 wait from jobs',
        );
        expect(row!.wait).toBeGreaterThan(25);
        expect(await rows()).toMatchObject([{ failures: 0, attempts: attempt, crashes: 0 }]);
      }
      expect([failed, new Set(outcomes)]).toEqual([[], new Set(['postponed'])]);
    });

    it('forget earlier failures and crashes when they are postponed', async () => {
      let run = (): never => notNow();
      const { runner } = await announced(7, () => run());
      await deliver(runner);
      await db.query('update jobs set crashes = 3');
      expect(await rows()).toMatchObject([{ failures: 1, crashes: 3 }]);
      run = () => {
        throw new JobPostponed('the next step is later', 30);
      };
      await deliver(runner);
      expect(await rows()).toMatchObject([{ failures: 0, crashes: 0, attempts: 2 }]);
    });

    it('fail without retries after an error that is not retryable', async () => {
      const { runner, causes, failed } = await announced(6, () => {
        throw Object.assign(new Error('not a picture'), { retryable: false });
      });
      await deliver(runner);
      expect([failed, await rows(), causes]).toEqual([[[6, 'not a picture']], [], ['service']]);
    });

    it("report failures that a user's input caused as such", async () => {
      const { runner, causes } = await announced(6, () => {
        throw Object.assign(new Error('not a picture'), { code: 'not_an_image', retryable: false });
      });
      await deliver(runner);
      expect(causes).toEqual(['user']);
    });

    it('fail after crashing their worker too often', async () => {
      const outbox = outboxAt();
      let ran = 0;
      const { runner, failed } = runnerOf(outbox, () => void ran++);
      for (const [id, crashes, runs] of [
        [8, MAX_CRASHES - 1, 0],
        [9, MAX_CRASHES - 2, 1],
      ] as const) {
        await outbox.announce(job(id));
        await db.query('update jobs set crashes = $1, started_at = now()', [crashes]);
        await deliver(runner);
        expect(ran).toBe(runs);
        expect(failed.map(([id]) => id)).toEqual([8]);
      }
    });

    it('count no failure and no crash when a stopping worker hands them back', async () => {
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

    it('count a crash but no failure when the queue reports them as stalled', async () => {
      const { runner, outcomes } = await announced(12, untilAborted);
      const lost = new AbortController();
      const delivery = runner.deliver(await nextTicket(), lost.signal);
      await until(async () => (await rows())[0]!.attempts === 1);
      lost.abort();
      await delivery;
      expect(outcomes).toEqual(['handed_back']);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 0, crashes: 1, deliveries: 1 }]);
    });

    it('are not started by an outdated delivery', async () => {
      const ran: number[] = [];
      const { runner } = await announced(13, (id) => {
        ran.push(id);
        notNow();
      });
      const first = await nextTicket();
      await runner.deliver(first);
      await runner.deliver(first);
      expect(ran).toEqual([13]);
      expect(await rows()).toMatchObject([{ attempts: 1, failures: 1, crashes: 0 }]);
    });

    it('start separately when they are delivered twice at once', async () => {
      const attempts: number[] = [];
      const { runner } = await announced(14, (_id, { attempt }) => void attempts.push(attempt));
      const delivery = await nextTicket();
      await Promise.all([1, 2, 3].map(() => runner.deliver({ ...delivery })));
      expect(attempts).toEqual([...new Set(attempts)]);
      expect(await rows()).toEqual([]);
    });

    it('remain when an older attempt ends during a newer attempt', async () => {
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

    it('of several workspaces start in turns', async () => {
      const outbox = outboxAt();
      const announcements = [
        [1, 11, 12, 13, 14],
        [2, 21, 22],
        [3, 31],
      ] as const;
      for (const [workspaceId, ...ids] of announcements) {
        for (const id of ids) await outbox.announce(job(id, workspaceId));
      }
      const ran: number[] = [];
      await deliver(runnerOf(outbox, (id) => void ran.push(id)).runner);
      expect(ran).toEqual([11, 21, 31, 12, 22, 13, 14]);
    });

    it('of a workspace run up to its limit concurrently over all workers', async () => {
      const outbox = outboxAt();
      const running = [0, 0, 0];
      const most = [0, 0, 0];
      const run: Run = async (_id, { workspaceId }) => {
        const at = workspaceId!;
        most[at] = Math.max(most[at]!, ++running[at]!);
        await sleep(15);
        running[at]!--;
      };
      const ran = [1, 2, 3].map(() => work(outbox, run, { limit: 2 }));
      await Promise.all(Array.from({ length: 120 }, (_, id) => outbox.announce(job(id, 1 + (id % 2)))));
      await allDone();
      expect(ran.flat()).toHaveLength(120);
      expect(most).toEqual([0, 2, 2]);
    });

    it('of a workspace with hundreds of jobs do not delay the next job of another workspace', async () => {
      const outbox = outboxAt();
      const ran = work(outbox, () => sleep(5));
      await Promise.all(Array.from({ length: 500 }, (_, id) => outbox.announce(job(id))));
      await until(() => ran.length > 20);
      await outbox.announce(job(1000, 2));
      const before = ran.length;
      await until(() => ran.includes(1000));
      // Four run at a time, and some end while this job is announced.
      expect(ran.indexOf(1000) - before).toBeLessThanOrEqual(8);
    });

    it('keep their turn when they fail, crash or are handed back', async () => {
      const outbox = outboxAt();
      for (const id of [1, 2, 3, 4]) await outbox.announce(job(id));
      const { runner: stopped } = runnerOf(outbox, (id) => {
        if (id === 2) stopped.stop();
        notNow();
      });
      await deliver(stopped);
      expect(await rows()).toMatchObject([{ failures: 1 }, { attempts: 1, failures: 0 }, { attempts: 0 }, {}]);

      const [, , third] = await rows();
      await db.query(`update jobs set due_at = now()`);
      await db.query(`update jobs set started_at = now(), ticket = 'dead' where id = $1`, [third!.id]);
      await outbox.announce(job(5, 2));
      const ran: number[] = [];
      const { runner } = runnerOf(outbox, (id) => void ran.push(id));
      runner.stalled('dead');
      await until(async () => (await db.query('select from jobs where crashes = 1')).length === 1);
      await deliver(runner);
      expect(ran).toEqual([1, 2, 5, 3, 4]);
    });

    it('of a killed worker run next, although other jobs wait', async () => {
      const outbox = outboxAt();
      const hanging = Promise.withResolvers<void>();
      // Detects dead workers sooner.
      const soon = () => ({ ...connection.workers(), lockDuration: 1500, stalledInterval: 300 });
      const options = { concurrency: 1, queue: { ...connection, workers: soon } };
      await outbox.announce(job(1));
      const started = work(outbox, () => hanging.promise, options);
      await until(() => started.length === 1);
      // Forced: the job stays as a killed process leaves it.
      await workers.pop()!.close(true);

      for (let id = 2; id < 42; id++) await outbox.announce(job(id));
      const ran = work(outbox, () => sleep(150), options);
      await until(() => ran.includes(1));
      expect(ran.indexOf(1)).toBeLessThan(30);
      hanging.resolve();
      await allDone();
    });
  });
}
