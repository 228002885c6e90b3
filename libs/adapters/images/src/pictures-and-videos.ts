import { rm } from 'node:fs/promises';
import { DomainError } from '#kernel';
import type { Mark, Marking, Provenance } from '#files';
import type { Clips, Overlay, Watermarks } from '#sharing';
import {
  SourceFailure,
  type Derived,
  type DerivativeTargets,
  type MarkTarget,
  type PictureDerivatives,
  type PictureFacts,
  type Pictures,
  type ThumbnailTarget,
  type VideoPreview,
  type Videos,
} from '#sources';
import type { PictureTransforms, Transformation } from '#transformation';
import { headOf, MagicFileTypes } from './magic-file-types.ts';
import { PictureProcesses } from './process/picture-processes.ts';
import type { PictureTask, ResultOf } from './process/picture-process.ts';
import { readSvgHead } from './types/svg-head.ts';

const SVG = 'image/svg+xml';

/** Reads pictures with libvips in child processes: this process reads only their first bytes. */
export class SharpPictures implements Pictures, PictureDerivatives, PictureTransforms, Watermarks {
  readonly #types = new MagicFileTypes();
  #tasks = 0;

  constructor(private readonly processes = new PictureProcesses()) {}

  async examine(file: string, bare?: string): Promise<PictureFacts> {
    const contentType = await this.#typeOf(file);
    const examined = (target: string) =>
      perform(this.processes, { kind: 'examine', file, contentType, bare: target }, [target], notAnImage);
    return bare === undefined ? this.#withSpareName(file, examined) : examined(bare);
  }

  async rasterise(file: string, target: string): Promise<PictureFacts> {
    if ((await this.#typeOf(file)) !== SVG) throw notAnImage('it is no SVG');
    return perform(this.processes, { kind: 'rasterise', file, target }, [target], notAnImage);
  }

  async reduce(file: string, target: string, edge: number): Promise<PictureFacts> {
    const contentType = await this.#typeOf(file);
    if (contentType === SVG) throw notAnImage('it is a drawing');
    return this.#withSpareName(file, (bare) =>
      perform(this.processes, { kind: 'reduce', file, contentType, bare, target, edge }, [target], notAnImage),
    );
  }

  async mask(
    file: string,
    target: string,
    wanted: Parameters<Pictures['mask']>[2],
  ): Promise<{ readonly isEmpty: boolean }> {
    const contentType = await this.#typeOf(file);
    return this.#withSpareName(file, (bare) =>
      perform(this.processes, { kind: 'mask', file, contentType, bare, target, ...wanted }, [target], notAnImage),
    );
  }

  mark(file: string, target: string, overlay: Overlay): Promise<PictureFacts> {
    return this.#drawOver(file, target, { overlay, keepsFormat: false });
  }

  /**
   * As `mark`, in the format and size of the picture, with a label alone.
   *
   * @throws SourceFailure as `mark`, and for an animation, a GIF and a drawing. On failure `target` does not exist
   */
  label(file: string, target: string, label: string): Promise<PictureFacts> {
    return this.#drawOver(file, target, { overlay: { watermark: null, label }, keepsFormat: true });
  }

  async #drawOver(
    file: string,
    target: string,
    options: { readonly overlay: Overlay; readonly keepsFormat: boolean },
  ): Promise<PictureFacts> {
    const contentType = await this.#typeOf(file);
    if (contentType === SVG) throw notAnImage('it is a drawing');
    return this.#withSpareName(file, (bare) =>
      perform(this.processes, { kind: 'mark', file, contentType, bare, target, ...options }, [target], notAnImage),
    );
  }

  async transform(
    file: string,
    target: string,
    wanted: Transformation,
    label: string | null = null,
  ): Promise<PictureFacts> {
    const contentType = await this.#typeOf(file);
    if (contentType === SVG) throw notAnImage('it is a drawing');
    return this.#withSpareName(file, (bare) =>
      perform(
        this.processes,
        { kind: 'transform', file, contentType, bare, target, wanted, label },
        [target],
        notAnImage,
      ),
    );
  }

  async derive(file: string, targets: DerivativeTargets): Promise<Derived> {
    const contentType = await this.#typeOf(file);
    const written = targets.thumbnails.map((thumbnail) => thumbnail.file);
    if (targets.original !== null) written.push(targets.original);
    if (targets.marked) written.push(targets.marked.file);
    return this.#withSpareName(file, (bare) =>
      perform(this.processes, { kind: 'derive', file, contentType, bare, ...targets }, written, notAnImage),
    );
  }

  /**
   * Writes the picture to `target` without metadata except orientation, colour profile and provenance, or whole with a
   * signature, as `derive` does; decodes nothing.
   *
   * @returns `null` for a picture without marks
   * @throws SourceFailure `not_an_image` when it is malformed; there is then no `target`
   */
  strip(file: string, target: string, contentType: string): Promise<Marking | null> {
    return perform(this.processes, { kind: 'strip', file, target, contentType }, [target], notAnImage);
  }

  writeMark(file: string, contentType: string, marked: MarkTarget): Promise<Marking> {
    return perform(this.processes, { kind: 'provenance', file, contentType, marked }, [marked.file], notAnImage);
  }

  async findMark(file: string, contentType: string): Promise<Provenance | null> {
    const reply = await this.processes.run({ kind: 'find-mark', file, contentType });
    if (reply.type === 'failed') throw new Error(`cannot find marks: ${reply.detail}`);
    return reply.type === 'done' ? reply.result : null;
  }

  /** Deletes the file of that name afterwards. */
  async #withSpareName<T>(file: string, work: (name: string) => Promise<T>): Promise<T> {
    const name = `${file}-bare-${++this.#tasks}`;
    try {
      return await work(name);
    } finally {
      await rm(name, { force: true });
    }
  }

  async #typeOf(file: string): Promise<string> {
    const head = await headOf(file);
    const type = await this.#types.detect(head);
    if (!type?.startsWith('image/')) throw notAnImage(`its type is ${type ?? 'unknown'}`);
    // Entities can multiply, and refer to other files.
    if (type === SVG && readSvgHead(head)?.hasDeclarations) throw notAnImage('it declares entities');
    return type;
  }
}

/** Reads and writes videos with FFmpeg, if installed, in child processes. */
export class FfmpegVideos implements Videos, Clips {
  /**
   * @param processes reads one video while no other process of these runs
   * @param clipping writes one clip at a time beside the others: it takes minutes, for which no picture may wait
   */
  constructor(
    private readonly processes: PictureProcesses,
    private readonly clipping = new PictureProcesses({ atOnce: 1 }),
  ) {}

  async clip(file: string, target: string, overlay: Overlay, poster: string | null = null): Promise<boolean> {
    return perform(this.clipping, { kind: 'clip-video', file, target, overlay, poster }, [target], notAnImage);
  }

  async preview(
    file: string,
    thumbnails: readonly ThumbnailTarget[],
    mark: Mark | null = null,
  ): Promise<VideoPreview | null> {
    const task = { kind: 'preview-video', file, thumbnails, mark } as const;
    const targets = thumbnails.map((thumbnail) => thumbnail.file);
    return perform(this.processes, task, targets, (reason) => {
      const cause = new Error(reason);
      return new DomainError('unsupported_file_type', 'the video cannot be decoded', { cause });
    });
  }
}

/** Runs a task. After a failure no target exists. */
async function perform<Task extends PictureTask>(
  processes: PictureProcesses,
  task: Task,
  targets: readonly string[],
  unreadable: (reason: string, isTooLarge: boolean) => Error,
): Promise<ResultOf<Task>> {
  const reply = await processes.run(task);
  if (reply.type === 'done') return reply.result;
  await Promise.all(targets.map((target) => rm(target, { force: true })));
  if (reply.type === 'failed') throw new Error(`cannot ${task.kind}: ${reply.detail}`);
  const isTooLarge = reply.type === 'too_large' || (reply.type === 'overrun' && reply.of === 'memory');
  throw unreadable(reply.reason, isTooLarge);
}

function notAnImage(reason: string, isTooLarge = false): SourceFailure {
  return new SourceFailure(isTooLarge ? 'picture_too_large' : 'not_an_image', {
    retryable: false,
    cause: new Error(reason),
  });
}
