import { rm } from 'node:fs/promises';
import { readable } from '../process/decode.ts';
import { writeMark } from '../process/mark.ts';
import { UnreadablePicture } from '../strip/reader.ts';
import { containerOf } from './container.ts';

/**
 * @returns whether it is written; not when FFmpeg can't be loaded: it is an optional dependency, and its binary may not fit
 *   this machine
 * @throws UnreadablePicture
 */
export async function clipVideo(file: string, target: string, text: string | null): Promise<boolean> {
  const ffmpeg = await import('./write-clip.ts').catch(() => null);
  if (!ffmpeg) return false;
  const container = await containerOf(file);
  if (!container) throw new UnreadablePicture('the video is truncated');
  const mark = `${target}-mark.png`;
  const drawMark = async (size: Parameters<typeof writeMark>[1]) => {
    await writeMark(text!, size, mark);
    return mark;
  };
  try {
    await readable(ffmpeg.writeClip(file, container, target, text === null ? null : drawMark));
  } finally {
    await rm(mark, { force: true });
  }
  return true;
}
