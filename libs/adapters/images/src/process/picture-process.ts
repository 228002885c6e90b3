import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import type { Preview, ThumbnailTarget, VideoPreview } from '#board';
import type { PictureFacts } from '#sources';

/** A task of a picture process. */
export type PictureTask =
  | { readonly kind: 'examine'; readonly file: string; readonly contentType: string }
  | { readonly kind: 'rasterise'; readonly file: string; readonly target: string }
  | {
      readonly kind: 'derive';
      readonly file: string;
      readonly contentType: string;
      readonly original: string | null;
      readonly thumbnails: readonly ThumbnailTarget[];
    }
  | { readonly kind: 'preview-video'; readonly file: string; readonly thumbnails: readonly ThumbnailTarget[] };

/** The result of each kind of task. */
export interface PictureResults {
  readonly examine: PictureFacts;
  readonly rasterise: PictureFacts;
  readonly derive: PictureFacts & Preview;
  /** `null` where no program can read videos. */
  readonly 'preview-video': VideoPreview | null;
}

export type ResultOf<Task extends PictureTask> = PictureResults[Task['kind']];

/** How a picture process replies. */
export type PictureReply<Result = PictureResults[keyof PictureResults]> =
  | { readonly type: 'done'; readonly result: Result }
  /** The file is no picture, or exceeds a limit known beforehand. */
  | { readonly type: 'unreadable'; readonly reason: string }
  /** The picture exceeds a limit; the process is still decoding and has to be killed. */
  | { readonly type: 'overrun'; readonly of: 'time' | 'memory'; readonly reason: string }
  /** An error of this machine, not of the picture. */
  | { readonly type: 'failed'; readonly detail: string };

/** A task as it is sent. */
export interface PictureOrder {
  readonly task: PictureTask;
  /** Bytes that the whole process may take. */
  readonly maxMemory: number;
}

/** `.ts` when it runs from source, `.js` from a build. */
const EXTENSION = extname(new URL(import.meta.url).pathname);
const PROGRAM = new URL(`./picture-main${EXTENSION}`, import.meta.url);

/** Environment of a process that opens untrusted files: no secrets, only what it needs to start and to find fonts. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE'];

/** Far beyond the limit of any task: a process that does not use its CPU time is stuck. */
const MAX_WAIT_MS = 60_000;

/** The parent's side of a process that opens untrusted pictures. */
export class PictureProcess {
  readonly #child: ChildProcess;
  #end: NodeJS.Timeout | undefined;

  constructor() {
    this.#child = fork(PROGRAM, [], {
      execArgv:
        EXTENSION === '.ts'
          ? ['--conditions=source', '--experimental-transform-types', '--disable-warning=ExperimentalWarning']
          : [],
      // Few arenas return freed memory sooner than one arena for each thread.
      env: { ...environment(), MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  get isAlive(): boolean {
    const { connected, exitCode, signalCode } = this.#child;
    return connected && exitCode === null && signalCode === null;
  }

  /**
   * Does one task. Wait for its reply before asking for another.
   *
   * @param maxMemory bytes that the whole process may take
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
      // A process that is gone is noticed by its exit.
      const order: PictureOrder = { task, maxMemory };
      child.send(order, () => {});
    });
  }

  /**
   * Lets it wait for another task and end when none comes in time; a waiting process does not keep its parent alive.
   */
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
