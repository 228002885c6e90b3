import { availableParallelism } from 'node:os';
import { PictureProcess } from './picture-process.ts';
import type { PictureReply, PictureTask, ResultOf } from './picture-task.ts';
import { Places } from './places.ts';

const ATTEMPTS = 2;
const MEBIBYTE = 1024 * 1024;
/** Enough for the pictures of cameras; what takes more is done with nothing beside it. */
const MEMORY_BESIDE_OTHERS = 200 * MEBIBYTE;
const MEMORY_ALONE = 400 * MEBIBYTE;

/**
 * Opens strangers' pictures in processes of their own, one task at a time each and at most one for each core. A picture
 * that brings its decoder down, or that has to be stopped, ends such a process and nothing else. Together they never
 * take more memory than one of them may take alone.
 */
export class PictureProcesses {
  readonly #idle: PictureProcess[] = [];
  readonly #places: Places;
  readonly #idleMs: number;
  readonly #start: () => PictureProcess;

  /**
   * @param options.atOnce tasks at a time
   * @param options.idleMs how long a process waits for another task
   */
  constructor({ atOnce = availableParallelism(), idleMs = 10_000, start = () => new PictureProcess() } = {}) {
    this.#places = new Places(atOnce);
    this.#idleMs = idleMs;
    this.#start = start;
  }

  /**
   * Does a task; a second time when its process dies, which may have had another reason than the picture.
   *
   * @throws Error when no process can start
   */
  async run<Task extends PictureTask>(task: Task): Promise<PictureReply<ResultOf<Task>>> {
    if (task.kind !== 'preview-video') {
      const reply = await this.#places.onOne(() => this.#attempt(task, MEMORY_BESIDE_OTHERS));
      if (reply.type !== 'overrun' || reply.of !== 'memory') return reply;
    }
    return this.#places.onAll(async () => {
      this.#endIdle();
      try {
        return await this.#attempt(task, MEMORY_ALONE);
      } finally {
        // What it took, and the decoders of videos, would stay with it.
        this.#endIdle();
      }
    });
  }

  async #attempt<Task extends PictureTask>(
    task: Task,
    maxMemory: number,
  ): Promise<PictureReply<ResultOf<Task>>> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const process = this.#takeIdle() ?? this.#start();
      const reply = await process.ask(task, maxMemory);
      if (reply?.type === 'overrun') {
        process.kill();
      } else if (reply) {
        process.rest(this.#idleMs);
        this.#idle.push(process);
      }
      if (reply) return reply;
    }
    return { type: 'unreadable', reason: 'its process died' };
  }

  #endIdle(): void {
    for (const process of this.#idle.splice(0)) process.kill();
  }

  #takeIdle(): PictureProcess | undefined {
    for (;;) {
      const process = this.#idle.pop();
      if (!process || process.isAlive) return process;
    }
  }
}
