import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { JobPostponed, systemClock, type JobRun } from '#kernel';
import { MAX_CRASHES, MAX_FAILURES, Outbox, type Queues } from '#adapters/queue';
import { jobTurnsContract } from './job-turns-contract.ts';
import { job, jobsStage, notNow, type Connect } from './jobs-stage.ts';

/** A job that ends only when its signal is aborted, by failing. */
const untilAborted = (_id: number, { signal }: JobRun) => sleep<void>(60_000, undefined, { signal });

/**
 * Contract suite of jobs, for queues in PostgreSQL and in Redis.
 *
 * @param connect opens a queue for this suite only; a queue in PostgreSQL is on `db`
 */
export function jobsContract(name: string, connect: Connect): void {
  describe(name, () => {
    const stage = jobsStage(connect);
    const { outboxAt, rows, runnerOf, announced, withoutQueue, work, nextTicket, deliver, until, allDone } = stage;

    it('run after the commit that announced them, and never after a rollback', async () => {
      const outbox = outboxAt();
      const ran = work(outbox);
      const undone = stage.unitOfWork.run(async () => {
        await outbox.announce(job(1));
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      await stage.unitOfWork.run(async () => {
        await outbox.announce(job(2));
        await outbox.announce(job(3));
      });
      await allDone();
      expect(ran.sort()).toEqual([2, 3]);
    });

    it('are queued by the sweep if their process died between commit and queue', async () => {
      const outbox = outboxAt();
      await stage.db.query(
        `insert into jobs (name, queue, payload, due_at, created_at)
       values ('generation.run', 'generations', '{"generationId": 7}', now(), now())`,
      );
      const ran = work(outbox);
      expect(await outbox.sweep()).toBe(1);
      await allDone();
      expect(ran).toEqual([7]);
    });

    it('are queued again, and run again, only if the queue has lost them', async () => {
      const { clock, outbox } = await withoutQueue(30);
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
      const { clock, outbox } = await withoutQueue(1);
      await stage.db.query(`update jobs set started_at = now(), attempts = 1, ticket = $1`, [(await nextTicket()).id]);
      clock.advance(21);
      await outbox.sweep();
      const ran = work(outbox);
      await allDone();
      expect(ran).toEqual([0]);
    });

    it('are queued by the next sweep if the queue was unreachable', async () => {
      const away = {
        ...stage.queues,
        generations: { addBulk: () => Promise.reject(new Error('away')) },
      } as unknown as Queues;
      const errors: unknown[] = [];
      const outbox = new Outbox(stage.db.database, stage.unitOfWork, away, systemClock, (error) => errors.push(error));
      await outbox.announce(job(1));
      await outbox.close();
      expect(errors).toMatchObject([{ message: 'away' }]);
      expect(await outboxAt().sweep()).toBe(1);
    });

    it('in bulk run after interactive jobs, also when the sweep queues them', async () => {
      const { clock, outbox: lost } = await withoutQueue(20, { bulk: true });
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
        const [row] = await stage.db.query<{ wait: number }>(
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
      await stage.db.query('update jobs set crashes = 3');
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
        await stage.db.query('update jobs set crashes = $1, started_at = now()', [crashes]);
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

    jobTurnsContract(stage);
  });
}
