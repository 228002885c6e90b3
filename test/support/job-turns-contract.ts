import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ticketOf, type Outbox } from '#adapters/queue';
import { job, notNow, type JobsStage, type Run } from './jobs-stage.ts';
import { rounds } from './rounds.ts';

/** Contract of the order in which jobs start, and of how many run at a time. */
export function jobTurnsContract(stage: JobsStage): void {
  const { outboxAt, rows, runnerOf, work, killWorker, deliver, until, allDone } = stage;

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

  it('of a workspace exceed its limit in the places of a worker that others leave, but for some', async () => {
    const outbox = outboxAt();
    const { promise: open, resolve: end } = Promise.withResolvers<void>();
    const ran = work(outbox, () => open, { limit: 2, beyond: 4, concurrency: 6 });
    await Promise.all(Array.from({ length: 12 }, (_, id) => outbox.announce(job(id))));
    await until(() => ran.length === 4);
    for (let id = 100; id < 104; id++) await outbox.announce(job(id, 2));
    await until(() => ran.length === 6);
    expect(ran.slice(4).every((id) => id >= 100)).toBe(true);
    end();
    await allDone();
    expect(ran).toHaveLength(16);
  });

  it('of a workspace beyond its limit do not start before those of others', async () => {
    const outbox = outboxAt();
    const ends = new Map<number, () => void>();
    const run: Run = (id) => new Promise<void>((resolve) => ends.set(id, resolve));
    const ran = work(outbox, run, { limit: 1, beyond: 3, concurrency: 4 });
    await Promise.all(Array.from({ length: 6 }, (_, id) => outbox.announce(job(id))));
    await until(() => ran.length === 3);
    await outbox.announce(job(100, 2));
    await until(() => ran.length === 4);
    await outbox.announce(job(101, 2));
    ends.get(100)!();
    await until(() => ran.length === 5);
    expect(ran.slice(3)).toEqual([100, 101]);
    const endAll = () => ends.forEach((end) => end());
    await until(async () => (endAll(), (await rows()).length === 0));
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
    await stage.db.query(`update jobs set due_at = now()`);
    await stage.db.query(`update jobs set started_at = now(), ticket = 'dead' where id = $1`, [third!.id]);
    await outbox.announce(job(5, 2));
    const ran: number[] = [];
    const { runner } = runnerOf(outbox, (id) => void ran.push(id));
    runner.stalled('dead');
    await until(async () => (await stage.db.query('select from jobs where crashes = 1')).length === 1);
    await deliver(runner);
    expect(ran).toEqual([1, 2, 5, 3, 4]);
  });

  it('of a killed worker run next, although other jobs wait', async () => {
    const outbox = outboxAt();
    const hanging = Promise.withResolvers<void>();
    // Detects dead workers sooner.
    const soon = () => ({ ...stage.connection.workers(), lockDuration: 1500, stalledInterval: 300 });
    const options = { concurrency: 1, queue: { ...stage.connection, workers: soon } };
    await outbox.announce(job(1));
    const started = work(outbox, () => hanging.promise, options);
    await until(() => started.length === 1);
    await killWorker();

    for (let id = 2; id < 42; id++) await outbox.announce(job(id));
    const ran = work(outbox, () => sleep(150), options);
    await until(() => ran.includes(1));
    expect(ran.indexOf(1)).toBeLessThan(30);
    hanging.resolve();
    await allDone();
  });

  const cellsOf = (outbox: Outbox, ids: readonly number[], workspaceId = 1, batchId = 7) =>
    outbox.announceAll(
      'generation.run',
      ids.map((generationId) => ({ generationId })),
      workspaceId,
      { batchId },
    );
  const ranBy = async (outbox: Outbox): Promise<number[]> => {
    const ran: number[] = [];
    await deliver(runnerOf(outbox, (id) => void ran.push(id)).runner);
    return ran;
  };
  /** Gives all waiting jobs their turns, and starts none. */
  const giveTurns = async (outbox: Outbox) => {
    await stage.db.query(`update jobs set due_at = now() + interval '1 hour' where turn is null`);
    const { runner } = runnerOf(outbox, () => undefined);
    await outbox.announce(job(999, 99));
    const [row] = await stage.db.query<{ id: number; deliveries: number }>(
      'select * from jobs order by id desc limit 1',
    );
    const { id: jobId, deliveries: delivery } = row!;
    await runner.deliver({ id: ticketOf(jobId, delivery), queue: 'generations', jobId, delivery });
    await stage.db.query(`update jobs set due_at = now()`);
  };

  it('of a batch start in their order', async () => {
    const outbox = outboxAt();
    await cellsOf(outbox, [1, 2, 3, 4]);
    expect(await ranBy(outbox)).toEqual([1, 2, 3, 4]);
  });

  it('of a batch take turns with other workspaces as single jobs do', async () => {
    const outbox = outboxAt();
    await cellsOf(outbox, [11, 12, 13, 14]);
    for (const id of [21, 22]) await outbox.announce(job(id, 2));
    await cellsOf(outbox, [31, 32], 3, 8);
    expect(await ranBy(outbox)).toEqual([11, 21, 31, 12, 22, 32, 13, 14]);
  });

  it('of a batch let single jobs of their workspace pass, which were announced later', async () => {
    const outbox = outboxAt();
    await cellsOf(outbox, [1, 2, 3, 4, 5]);
    await giveTurns(outbox);
    for (const id of [61, 62]) await outbox.announce(job(id));
    expect((await ranBy(outbox)).slice(0, 2)).toEqual([61, 62]);
  });

  it('of a batch let more single jobs pass than it has cells', async () => {
    const outbox = outboxAt();
    await cellsOf(outbox, [1, 2]);
    await giveTurns(outbox);
    for (const id of [61, 62, 63]) await outbox.announce(job(id));
    await cellsOf(outbox, [3]);
    expect(await ranBy(outbox)).toEqual([61, 62, 63, 1, 2, 3]);
  });

  it('that pass a batch take its turns: another workspace waits no longer', async () => {
    const outbox = outboxAt();
    await cellsOf(outbox, [11, 12, 13, 14]);
    for (const id of [21, 22, 23, 24]) await outbox.announce(job(id, 2));
    await giveTurns(outbox);
    for (const id of [61, 62]) await outbox.announce(job(id));
    expect(await ranBy(outbox)).toEqual([21, 61, 22, 62, 13, 23, 14, 24, 11, 12]);
  });

  it('of a batch of hundreds delay no single job of their workspace for longer than the jobs under way', async () => {
    const outbox = outboxAt();
    const ran = work(outbox, () => sleep(5));
    await cellsOf(
      outbox,
      Array.from({ length: 500 }, (_, id) => id),
    );
    await until(() => ran.length > 20);
    await outbox.announce(job(1000));
    const before = ran.length;
    await until(() => ran.includes(1000));
    // Four run at a time, and some end while this job is announced.
    expect(ran.indexOf(1000) - before).toBeLessThanOrEqual(8);
  });

  it('of a batch are withdrawn unless they have started once', async () => {
    const outbox = outboxAt();
    await cellsOf(outbox, [1, 2, 3]);
    await cellsOf(outbox, [4], 1, 8);
    await outbox.announce(job(5));
    await stage.db.query(`update jobs set attempts = 1 where payload ->> 'generationId' = '2'`);
    await outbox.withdraw(7);
    expect((await ranBy(outbox)).toSorted()).toEqual([2, 4, 5]);
  });

  it('of a batch are withdrawn or run, also while workers start them', async () => {
    for (let round = 0; round < rounds(); round++) {
      const outbox = outboxAt();
      await cellsOf(outbox, [1, 2, 3, 4, 5, 6]);
      const ran: number[] = [];
      const runner = runnerOf(outbox, async (id) => {
        ran.push(id);
        await sleep(2);
      }).runner;
      const tickets = (await rows()).map(({ id: jobId, deliveries: delivery }) => {
        return { id: ticketOf(jobId, delivery), queue: 'generations' as const, jobId, delivery };
      });
      await Promise.all([...tickets.slice(0, 2).map((ticket) => runner.deliver(ticket)), outbox.withdraw(7)]);
      expect(await rows()).toEqual([]);
      expect(new Set(ran).size).toBe(ran.length);
    }
  });
}
