import { open, rm } from 'node:fs/promises';
import type { PictureDerivatives, Preview, ThumbnailTarget, VideoPreview, Videos } from '#board';
import { DomainError } from '#kernel';
import { SourceFailure, type PictureFacts, type Pictures } from '#sources';
import { MagicFileTypes } from './magic-file-types.ts';
import { PictureProcesses } from './process/picture-processes.ts';
import type { PictureTask, ResultOf } from './process/picture-process.ts';
import { readSvgHead } from './types/svg-head.ts';

const HEAD_BYTES = 65_536;
const SVG = 'image/svg+xml';

/** Reads pictures with libvips, in other processes: this one only looks at their first bytes. */
export class SharpPictures implements Pictures, PictureDerivatives {
  private readonly types = new MagicFileTypes();

  constructor(private readonly processes = new PictureProcesses()) {}

  async examine(file: string): Promise<PictureFacts> {
    return this.perform({ kind: 'examine', file, contentType: await this.typeOf(file) }, []);
  }

  async rasterise(file: string, target: string): Promise<PictureFacts> {
    if ((await this.typeOf(file)) !== SVG) throw notAnImage('it is no SVG');
    return this.perform({ kind: 'rasterise', file, target }, [target]);
  }

  async derive(
    file: string,
    targets: { readonly original: string | null; readonly thumbnails: readonly ThumbnailTarget[] },
  ): Promise<Preview & PictureFacts> {
    const contentType = await this.typeOf(file);
    const written = targets.thumbnails.map((thumbnail) => thumbnail.file);
    if (targets.original !== null) written.push(targets.original);
    return this.perform({ kind: 'derive', file, contentType, ...targets }, written);
  }

  private async typeOf(file: string): Promise<string> {
    const head = await headOf(file);
    const type = await this.types.detect(head);
    if (!type?.startsWith('image/')) throw notAnImage(`its type is ${type ?? 'unknown'}`);
    // Entities can multiply, and refer to other files.
    if (type === SVG && readSvgHead(head)?.hasDeclarations) throw notAnImage('it declares entities');
    return type;
  }

  private async perform<Task extends PictureTask>(
    task: Task,
    targets: readonly string[],
  ): Promise<ResultOf<Task>> {
    const reply = await this.processes.run(task);
    if (reply.type === 'done') return reply.result;
    await Promise.all(targets.map((target) => rm(target, { force: true })));
    if (reply.type === 'failed') throw new Error(`pictures can not be read: ${reply.detail}`);
    throw notAnImage(reply.reason);
  }
}

/** Reads videos with FFmpeg, where it is installed: in a picture process, while no other runs. */
export class FfmpegVideos implements Videos {
  constructor(private readonly processes: PictureProcesses) {}

  async preview(file: string, thumbnails: readonly ThumbnailTarget[]): Promise<VideoPreview | null> {
    const reply = await this.processes.run({ kind: 'preview-video', file, thumbnails });
    if (reply.type === 'done') return reply.result;
    await Promise.all(thumbnails.map((thumbnail) => rm(thumbnail.file, { force: true })));
    if (reply.type === 'failed') throw new Error(`videos can not be read: ${reply.detail}`);
    const cause = new Error(reply.reason);
    throw new DomainError('unsupported_file_type', 'the video can not be decoded', { cause });
  }
}

async function headOf(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

function notAnImage(reason: string): SourceFailure {
  return new SourceFailure('not_an_image', { retryable: false, cause: new Error(reason) });
}
