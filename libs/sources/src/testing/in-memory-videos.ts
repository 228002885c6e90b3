import { readFile, writeFile } from 'node:fs/promises';
import { DomainError } from '#kernel';
import type { ThumbnailTarget, VideoPreview, Videos } from '../ports.ts';
import { A_LOOK } from './in-memory-pictures.ts';
import { aPng } from './sample-pictures.ts';

/** A video in the format of `InMemoryVideos`. */
export function aFilm({ width = 8, height = 4, seconds = 2 } = {}): Buffer {
  return Buffer.from(`film ${width} ${height} ${seconds} end`);
}

/** Reads the sizes and durations of the videos of `aFilm`. */
export class InMemoryVideos implements Videos {
  async preview(file: string, targets: readonly ThumbnailTarget[]): Promise<VideoPreview> {
    const film = /^film (\d+) (\d+) (\d+) end$/.exec((await readFile(file)).toString());
    if (!film) throw new DomainError('unsupported_file_type', 'the video cannot be decoded');
    const [width, height, duration] = film.slice(1).map(Number) as [number, number, number];
    const thumbnails = [];
    for (const target of targets) {
      const scale = Math.min(1, target.edge / Math.max(width, height));
      const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
      await writeFile(target.file, aPng(size));
      thumbnails.push({ file: target.file, ...size });
    }
    const placeholder = Buffer.from('a placeholder').toString('base64');
    return { width, height, duration, thumbnails, placeholder, look: A_LOOK };
  }
}
