import { rm } from 'node:fs/promises';
import { DomainError } from '#kernel';
import type { ThumbnailTarget, VideoPreview, Videos } from '#board';
import type { PictureProcesses } from './process/picture-processes.ts';

/** Videos read with FFmpeg, where it is there; in the processes that open pictures, each with nothing beside it. */
export class FfmpegVideos implements Videos {
  readonly #processes: PictureProcesses;

  constructor(processes: PictureProcesses) {
    this.#processes = processes;
  }

  async preview(file: string, thumbnails: readonly ThumbnailTarget[]): Promise<VideoPreview | null> {
    const reply = await this.#processes.run({ kind: 'preview-video', file, thumbnails });
    if (reply.type === 'done') return reply.result;
    await Promise.all(thumbnails.map((thumbnail) => rm(thumbnail.file, { force: true })));
    if (reply.type === 'failed') throw new Error(`videos can not be read: ${reply.detail}`);
    const cause = new Error(reply.reason);
    throw new DomainError('unsupported_file_type', 'the video can not be decoded', { cause });
  }
}
