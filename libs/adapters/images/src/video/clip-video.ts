import { rm } from 'node:fs/promises';
import { hasOverlay } from '#sharing';
import { copyMark } from '../marks/marks.ts';
import { readable } from '../process/decode.ts';
import { writeOverlay } from '../process/mark.ts';
import type { PictureTask } from '../process/picture-process.ts';
import { UnreadablePicture } from '../strip/reader.ts';
import { containerOf } from './container.ts';

/**
 * @returns whether it is written; not when FFmpeg can't be loaded: it is an optional dependency, and its binary may not fit
 *   this machine
 * @throws UnreadablePicture
 */
export async function clipVideo({
  file,
  target,
  overlay,
  poster,
}: Extract<PictureTask, { kind: 'clip-video' }>): Promise<boolean> {
  const ffmpeg = await import('./write-clip.ts').catch(() => null);
  if (!ffmpeg) return false;
  const container = await containerOf(file);
  if (!container) throw new UnreadablePicture('the video is truncated');
  const mark = `${target}-mark.png`;
  const drawOverlay = async (size: Parameters<typeof writeOverlay>[1]) => {
    await writeOverlay(overlay, size, mark);
    return mark;
  };
  try {
    await readable(ffmpeg.writeClip(file, container, target, hasOverlay(overlay) ? drawOverlay : null));
  } finally {
    await rm(mark, { force: true });
  }
  const type = 'video/mp4';
  const isMarked = await copyMark({ file, type }, { file: target, type });
  if (!isMarked && poster !== null) await copyMark({ file: poster, type: 'image/webp' }, { file: target, type });
  return true;
}
