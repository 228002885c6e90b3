import { once } from 'node:events';
import { forkUntrusted } from '#process';
import type { Mark, Marking, Provenance } from '#files';
import type { Derived, MarkTarget, MaskArea, MaskForm, PictureFacts, ThumbnailTarget, VideoPreview } from '#sources';
import type { Overlay } from '#sharing';
import type { Transformation } from '#transformation';

/** A task of a picture process. `bare` is where it writes the picture without its metadata, except for a drawing. */
export type PictureTask =
  | { readonly kind: 'examine'; readonly file: string; readonly contentType: string; readonly bare: string }
  | { readonly kind: 'rasterise'; readonly file: string; readonly target: string }
  | {
      readonly kind: 'reduce';
      readonly file: string;
      readonly contentType: string;
      readonly bare: string;
      readonly target: string;
      readonly edge: number;
    }
  | {
      readonly kind: 'mask';
      readonly file: string;
      readonly contentType: string;
      readonly bare: string;
      readonly target: string;
      readonly width: number;
      readonly height: number;
      readonly form: MaskForm;
      readonly area?: MaskArea;
    }
  | {
      readonly kind: 'derive';
      readonly file: string;
      readonly contentType: string;
      readonly bare: string;
      readonly original: string | null;
      readonly thumbnails: readonly ThumbnailTarget[];
      readonly marked?: MarkTarget;
    }
  | {
      readonly kind: 'mark';
      readonly file: string;
      readonly contentType: string;
      readonly bare: string;
      readonly target: string;
      readonly overlay: Overlay;
      /** Instead of a WebP; then animations, GIF and drawings are refused. */
      readonly keepsFormat: boolean;
    }
  | {
      readonly kind: 'transform';
      readonly file: string;
      readonly contentType: string;
      readonly bare: string;
      readonly target: string;
      readonly wanted: Transformation;
      readonly label: string | null;
    }
  | { readonly kind: 'strip'; readonly file: string; readonly contentType: string; readonly target: string }
  | { readonly kind: 'provenance'; readonly file: string; readonly contentType: string; readonly marked: MarkTarget }
  | { readonly kind: 'find-mark'; readonly file: string; readonly contentType: string }
  | {
      readonly kind: 'preview-video';
      readonly file: string;
      readonly thumbnails: readonly ThumbnailTarget[];
      readonly mark: Mark | null;
    }
  /** The texts are put over each frame. `poster` is a WebP whose mark the clip gets if the video has none. */
  | {
      readonly kind: 'clip-video';
      readonly file: string;
      readonly target: string;
      readonly overlay: Overlay;
      readonly poster: string | null;
    };

/** The result of each kind of task. */
export interface PictureResults {
  readonly examine: PictureFacts;
  readonly rasterise: PictureFacts;
  readonly reduce: PictureFacts;
  readonly mask: { readonly isEmpty: boolean };
  readonly derive: Derived;
  readonly mark: PictureFacts;
  /** `null` for a picture without marks. */
  readonly strip: Marking | null;
  readonly provenance: Marking;
  /** `null` for a file whose XMP states no digital source type. */
  readonly 'find-mark': Provenance | null;
  readonly transform: PictureFacts;
  /** `null` where no program can read videos. */
  readonly 'preview-video': VideoPreview | null;
  /** False where no program can write videos. */
  readonly 'clip-video': boolean;
}

export type ResultOf<Task extends PictureTask> = PictureResults[Task['kind']];

/** How a picture process replies. */
export type PictureReply<Result = PictureResults[keyof PictureResults]> =
  | { readonly type: 'done'; readonly result: Result }
  /** The picture exceeds a limit that its header shows. */
  | { readonly type: 'too_large'; readonly reason: string }
  /** The file is no picture that can be decoded. */
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

const PROGRAM = new URL('./picture-main', import.meta.url);

/** Far beyond the limit of any task: a process that does not use its CPU time is stuck. */
const MAX_WAIT_MS = 60_000;
const MAX_WAIT_MS_OF_CLIP = 1_800_000;

/** The parent's side of a process that opens untrusted pictures. */
export class PictureProcess {
  readonly #child = forkUntrusted(PROGRAM, 'inherit');
  #end: NodeJS.Timeout | undefined;

  get isAlive(): boolean {
    const { connected, exitCode, signalCode } = this.#child;
    return connected && exitCode === null && signalCode === null;
  }

  /**
   * Runs one task. Await its reply before the next call.
   *
   * @param maxMemory bytes that the whole process may take
   * @returns `null` when the process died
   * @throws Error when the process can't start
   */
  async ask<Task extends PictureTask>(task: Task, maxMemory: number): Promise<PictureReply<ResultOf<Task>> | null> {
    const child = this.#child;
    clearTimeout(this.#end);
    child.ref();
    child.channel?.ref();
    const stuck = setTimeout(() => this.kill(), task.kind === 'clip-video' ? MAX_WAIT_MS_OF_CLIP : MAX_WAIT_MS);
    const settled = new AbortController();
    try {
      const replied = once(child, 'message', { signal: settled.signal }) as Promise<[PictureReply<ResultOf<Task>>]>;
      const exited = once(child, 'exit', { signal: settled.signal }) as Promise<[number | null]>;
      const order: PictureOrder = { task, maxMemory };
      // A process that is gone is noticed by its exit.
      child.send(order, () => {});
      return await Promise.race([replied.then(([reply]) => reply), exited.then(([code]) => afterExit(code))]);
    } finally {
      settled.abort();
      clearTimeout(stuck);
    }
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

/** @param code `null` when a signal ended it */
function afterExit(code: number | null): null {
  if (code === null) return null;
  throw new Error(`a picture process ended with code ${code}`);
}
