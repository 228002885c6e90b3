import { availableParallelism } from 'node:os';
import { PictureProcess } from './picture-process.ts';
import type { PictureReply, PictureTask } from './picture-task.ts';

const ATTEMPTS = 2;

/**
 * Opens strangers' pictures in processes of their own, one task at a time each and at most one for each core. A picture
 * that brings its decoder down, or that has to be stopped, ends such a process and nothing else.
 */
export class PictureProcesses {
  readonly #idle: PictureProcess[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #idleMs: number;
  readonly #start: () => PictureProcess;
  #free: number;

  /**
   * @param options.atOnce tasks at a time
   * @param options.idleMs how long a process waits for another task
   */
  constructor({ atOnce = availableParallelism(), idleMs = 10_000, start = () => new PictureProcess() } = {}) {
    this.#free = atOnce;
    this.#idleMs = idleMs;
    this.#start = start;
  }

  /**
   * Does a task; a second time when its process dies, which may have had another reason than the picture.
   *
   * @throws Error when no process can start
   */
  async run(task: PictureTask): Promise<PictureReply> {
    await this.#enter();
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const reply = await this.#attempt(task);
        if (reply) return reply;
      }
      return { type: 'unreadable', reason: 'its process died' };
    } finally {
      this.#leave();
    }
  }

  async #attempt(task: PictureTask): Promise<PictureReply | null> {
    const process = this.#takeIdle() ?? this.#start();
    const reply = await process.ask(task);
    if (reply?.type === 'overrun') {
      process.kill();
    } else if (reply) {
      process.rest(this.#idleMs);
      this.#idle.push(process);
    }
    return reply;
  }

  #takeIdle(): PictureProcess | undefined {
    for (;;) {
      const process = this.#idle.pop();
      if (!process || process.isAlive) return process;
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
