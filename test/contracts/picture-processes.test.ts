/** @tier deep, 8 s, about libs/adapters/images libs/process */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { aPng, temporaryFolder } from '#testing/sources';
import { PictureProcess } from '../../libs/adapters/images/src/process/picture-process.ts';
import { PictureProcesses } from '../../libs/adapters/images/src/process/picture-processes.ts';
import type { PictureReply, PictureTask, ResultOf } from '../../libs/adapters/images/src/process/picture-process.ts';

type Reply<Task extends PictureTask> = Promise<PictureReply<ResultOf<Task>> | null>;

/** Dies of its first so many tasks. */
class MortalProcess extends PictureProcess {
  static deaths = 0;

  override ask<Task extends PictureTask>(task: Task, maxMemory: number): Reply<Task> {
    const reply = super.ask(task, maxMemory);
    if (MortalProcess.deaths-- > 0) this.kill();
    return reply;
  }
}

/** Can't do its task with the memory that it gets beside others. */
class HungryProcess extends PictureProcess {
  static working = 0;
  static readonly together: number[] = [];

  override async ask<Task extends PictureTask>(task: Task, maxMemory: number): Reply<Task> {
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
  const { fileAt, save } = temporaryFolder();
  let task: PictureTask & { kind: 'examine' };
  const done = { type: 'done', result: { contentType: 'image/png', width: 4, height: 3 } };

  beforeEach(async () => {
    const file = await save(aPng(), 'picture');
    task = { kind: 'examine', file, bare: fileAt('bare'), contentType: 'image/png' };
  });

  /** Processes that were started, in order, and the replies to so many tasks at once. */
  const observed = (options: { atOnce?: number; idleMs?: number } = {}, Type = PictureProcess) => {
    const started: PictureProcess[] = [];
    const start = () => started[started.push(new Type()) - 1]!;
    const processes = new PictureProcesses({ ...options, start });
    // Each writes a file of its own.
    const run = (_: unknown, index: number) => processes.run({ ...task, bare: `${task.bare}-${index}` });
    const repliesTo = (tasks: number) => Promise.all(Array.from({ length: tasks }, run));
    return { started, processes, repliesTo };
  };

  it('start on demand, run one task after another, and are not reused after they were killed', async () => {
    const { started, processes } = observed({ atOnce: 1 });
    expect(started).toHaveLength(0);
    for (let i = 0; i < 3; i++) await expect(processes.run(task)).resolves.toEqual(done);
    expect(started).toHaveLength(1);
    started[0]!.kill();
    while (started.at(-1)!.isAlive) await delay(5);
    await expect(processes.run(task)).resolves.toEqual(done);
    expect(started).toHaveLength(2);
  });

  it('are never more than allowed, however many tasks there are', async () => {
    const { started, repliesTo } = observed({ atOnce: 2 });
    expect(await repliesTo(12)).toEqual(Array(12).fill(done));
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
    const { started, repliesTo } = observed({ atOnce: 2 }, HungryProcess);
    expect(await repliesTo(4)).toEqual(Array(4).fill(done));
    expect(HungryProcess.together).toEqual([1, 1, 1, 1]);
    while (started.some((process) => process.isAlive)) await delay(10);
  });

  it('are replaced after a crash; a second crash makes the picture unreadable, but no later picture', async () => {
    const { started, processes } = observed({ atOnce: 1 }, MortalProcess);
    MortalProcess.deaths = 1;
    await expect(processes.run(task)).resolves.toEqual(done);
    expect(started).toHaveLength(2);
    MortalProcess.deaths = 2;
    started.at(-1)!.kill();
    while (started.at(-1)!.isAlive) await delay(5);
    await expect(processes.run(task)).resolves.toMatchObject({ type: 'unreadable' });
    await expect(processes.run(task)).resolves.toEqual(done);
  });

  it('do not take trouble with the machine for trouble with the picture', async () => {
    const { processes } = observed();
    const missing: PictureTask = { kind: 'rasterise', file: fileAt('missing'), target: fileAt('drawn') };
    await expect(processes.run(missing)).resolves.toMatchObject({ type: 'failed' });
  });
});
