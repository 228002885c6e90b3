import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPng } from '#testing/sources';
import { PictureProcess } from '../../libs/adapters/images/src/process/picture-process.ts';
import { PictureProcesses } from '../../libs/adapters/images/src/process/picture-processes.ts';
import type { PictureReply, PictureTask, ResultOf } from '../../libs/adapters/images/src/process/picture-process.ts';

/** Dies of its first so many tasks. */
class MortalProcess extends PictureProcess {
  static deaths = 0;

  override ask<Task extends PictureTask>(task: Task, maxMemory: number): Promise<PictureReply<ResultOf<Task>> | null> {
    const reply = super.ask(task, maxMemory);
    if (MortalProcess.deaths-- > 0) this.kill();
    return reply;
  }
}

/** Can't do its task with the memory that it gets beside others. */
class HungryProcess extends PictureProcess {
  static working = 0;
  static readonly together: number[] = [];

  override async ask<Task extends PictureTask>(
    task: Task,
    maxMemory: number,
  ): Promise<PictureReply<ResultOf<Task>> | null> {
    HungryProcess.working++;
    try {
      if (maxMemory < 300 * 1024 * 1024) return { type: 'overrun', of: 'memory', reason: 'hunger' };
      const reply = await super.ask(task, maxMemory);
      HungryProcess.together.push(HungryProcess.working);
      return reply;
    } finally {
      HungryProcess.working--;
    }
  }
}

describe('Picture processes', () => {
  let folder: string;
  let task: PictureTask;
  const done = { type: 'done', result: { contentType: 'image/png', width: 4, height: 3 } };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x12-processes-'));
    task = { kind: 'examine', file: join(folder, 'picture'), contentType: 'image/png' };
    await writeFile(join(folder, 'picture'), aPng());
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Processes that were started, in order. */
  const observed = (options: { atOnce?: number; idleMs?: number; make?: () => PictureProcess } = {}) => {
    const started: PictureProcess[] = [];
    const start = () => {
      const process = (options.make ?? (() => new PictureProcess()))();
      started.push(process);
      return process;
    };
    return { started, processes: new PictureProcesses({ ...options, start }) };
  };

  it('start when there is a task, and do one after the other', async () => {
    const { started, processes } = observed({ atOnce: 1 });
    expect(started).toHaveLength(0);
    for (let i = 0; i < 3; i++) await expect(processes.run(task)).resolves.toEqual(done);
    expect(started).toHaveLength(1);
  });

  it('are never more than allowed, however many tasks there are', async () => {
    const { started, processes } = observed({ atOnce: 2 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => processes.run(task)));
    expect(replies).toEqual(replies.map(() => done));
    expect(started).toHaveLength(2);
  });

  it('end when there is nothing to do for a while, and start again', async () => {
    const { started, processes } = observed({ atOnce: 1, idleMs: 30 });
    await processes.run(task);
    while (started[0]!.isAlive) await delay(10);
    await expect(processes.run(task)).resolves.toEqual(done);
    expect(started).toHaveLength(2);
  });

  it('that need more memory than they get get it, with nothing beside them', async () => {
    const { started, processes } = observed({ make: () => new HungryProcess(), atOnce: 2 });
    const replies = await Promise.all(Array.from({ length: 4 }, () => processes.run(task)));
    expect(replies).toEqual(replies.map(() => done));
    expect(HungryProcess.together).toEqual([1, 1, 1, 1]);
    while (started.some((process) => process.isAlive)) await delay(10);
  });

  it('that die once are replaced and asked again: it may not have been the picture', async () => {
    MortalProcess.deaths = 1;
    const { started, processes } = observed({ make: () => new MortalProcess() });
    await expect(processes.run(task)).resolves.toEqual(done);
    expect(started).toHaveLength(2);
  });

  it('that die each time make the picture unreadable, and no later one', async () => {
    MortalProcess.deaths = 2;
    const { processes } = observed({ make: () => new MortalProcess(), atOnce: 1 });
    await expect(processes.run(task)).resolves.toMatchObject({ type: 'unreadable' });
    await expect(processes.run(task)).resolves.toEqual(done);
  });

  it('that are killed while they wait are not asked', async () => {
    const { started, processes } = observed({ atOnce: 1 });
    await processes.run(task);
    started[0]!.kill();
    await delay(100);
    await expect(processes.run(task)).resolves.toEqual(done);
    expect(started).toHaveLength(2);
  });

  it('do not take trouble with the machine for trouble with the picture', async () => {
    const { processes } = observed();
    const missing: PictureTask = { kind: 'rasterise', file: join(folder, 'missing'), target: join(folder, 'drawn') };
    await expect(processes.run(missing)).resolves.toMatchObject({ type: 'failed' });
  });
});
