import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import type { PictureOrder, PictureReply, PictureTask, ResultOf } from './picture-task.ts';

/** This file's own ending tells whether it runs from its TypeScript source or from a build. */
const EXTENSION = extname(new URL(import.meta.url).pathname);
const PROGRAM = new URL(`./picture-main${EXTENSION}`, import.meta.url);

/** A process that opens strangers' files gets no secrets: only what it needs to start and to find fonts. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE'];

/** Far beyond what any task is allowed: a process that does not even use its CPU time is stuck. */
const MAX_WAIT_MS = 60_000;

/** One process that opens strangers' pictures, seen from outside. */
export class PictureProcess {
  readonly #child: ChildProcess;
  #end: NodeJS.Timeout | undefined;

  constructor() {
    this.#child = fork(PROGRAM, [], {
      execArgv: EXTENSION === '.ts' ? ['--conditions=source', '--experimental-transform-types'] : [],
      // Two arenas keep freed memory from lying around in one heap a thread.
      env: { ...environment(), MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  get isAlive(): boolean {
    const { connected, exitCode, signalCode } = this.#child;
    return connected && exitCode === null && signalCode === null;
  }

  /**
   * Does one task; another may be asked for once it is answered.
   *
   * @param maxMemory what the whole process may take, in bytes
   * @returns `null` when the process died of it
   * @throws Error when the process can't start
   */
  ask<Task extends PictureTask>(task: Task, maxMemory: number): Promise<PictureReply<ResultOf<Task>> | null> {
    const child = this.#child;
    clearTimeout(this.#end);
    child.ref();
    child.channel?.ref();
    return new Promise((resolve, reject) => {
      const stuck = setTimeout(() => this.kill(), MAX_WAIT_MS);
      const onMessage = (reply: PictureReply<ResultOf<Task>>) => settle(() => resolve(reply));
      const onError = (error: Error) => settle(() => reject(error));
      const onExit = (code: number | null) =>
        settle(() => {
          if (code === null) resolve(null);
          else reject(new Error(`a picture process ended with code ${code}`));
        });
      const settle = (act: () => void) => {
        clearTimeout(stuck);
        child.off('message', onMessage).off('error', onError).off('exit', onExit);
        act();
      };
      child.on('message', onMessage).on('error', onError).on('exit', onExit);
      // That it can't be sent to a process that is gone is told by its exit.
      const order: PictureOrder = { task, maxMemory };
      child.send(order, () => {});
    });
  }

  /** Lets it wait for another task, keeping nothing from ending, and end when none comes in time. */
  rest(idleMs: number): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#end = setTimeout(() => this.#child.connected && this.#child.disconnect(), idleMs).unref();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
}
