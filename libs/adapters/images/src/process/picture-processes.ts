import { availableParallelism } from 'node:os';
import { Semaphore } from '#kernel';
import { PictureProcess, type PictureReply, type PictureTask, type ResultOf } from './picture-process.ts';

const ATTEMPTS = 2;
const MEBIBYTE = 1024 * 1024;
/** Enough for pictures of cameras; larger pictures are decoded while no other process runs. */
const MEMORY_BESIDE_OTHERS = 200 * MEBIBYTE;
const MEMORY_ALONE = 400 * MEBIBYTE;

/**
 * Opens untrusted pictures in child processes: each runs one task at a time, with at most one process for each core. A
 * picture that crashes its decoder or exceeds a limit ends only its process. Together the processes never take more
 * memory than one process may take alone.
 */
export class PictureProcesses {
  readonly #idle: PictureProcess[] = [];
  readonly #permits: Semaphore;
  readonly #idleMs: number;
  readonly #start: () => PictureProcess;

  /**
   * @param options.atOnce tasks at a time
   * @param options.idleMs how long a process waits for another task
   */
  constructor({ atOnce = availableParallelism(), idleMs = 10_000, start = () => new PictureProcess() } = {}) {
    this.#permits = new Semaphore(atOnce);
    this.#idleMs = idleMs;
    this.#start = start;
  }

  /**
   * Runs a task, and repeats it once if its process dies, because the picture may not be the cause.
   *
   * @throws Error when no process can start
   */
  async run<Task extends PictureTask>(task: Task): Promise<PictureReply<ResultOf<Task>>> {
    if (task.kind !== 'preview-video' && task.kind !== 'clip-video') {
      const reply = await this.#permits.on(1, () => this.#attempt(task, MEMORY_BESIDE_OTHERS));
      if (reply.type !== 'overrun' || reply.of !== 'memory') return reply;
    }
    return this.#permits.on(this.#permits.all, async () => {
      this.#endIdle();
      try {
        return await this.#attempt(task, MEMORY_ALONE);
      } finally {
        // Its memory, and the decoders of videos, would stay allocated.
        this.#endIdle();
      }
    });
  }

  async #attempt<Task extends PictureTask>(task: Task, maxMemory: number): Promise<PictureReply<ResultOf<Task>>> {
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
