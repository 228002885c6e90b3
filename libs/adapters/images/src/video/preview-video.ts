import { open } from 'node:fs/promises';
import sharp from 'sharp';
import type { ThumbnailTarget, VideoPreview } from '#sources';
import { readable } from '../process/decode.ts';
import { makePreview } from '../process/preview.ts';
import { UnreadablePicture } from '../strip/reader.ts';
import type { VideoFrame } from './read-frame.ts';

/**
 * @returns `null` when FFmpeg can't be loaded: it is an optional dependency, and its binary may not fit this machine
 * @throws UnreadablePicture
 */
export async function previewVideo(file: string, thumbnails: readonly ThumbnailTarget[]): Promise<VideoPreview | null> {
  const ffmpeg = await import('./read-frame.ts').catch(() => null);
  if (!ffmpeg) return null;
  if (!(await isWholeMp4(file))) throw new UnreadablePicture('a video that breaks off');
  const { picture, size, duration } = await readable(ffmpeg.readFrame(file).then(takePoster));
  return { ...(await makePreview(picture, size, thumbnails)), duration };
}

/** A frame of the video, upright. */
async function takePoster({ rgb, frame, full, turn, duration }: VideoFrame) {
  const { data, info } = await sharp(rgb, { raw: { ...frame, channels: 3 } })
    .rotate(turn)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } });
  const size = turn % 180 === 0 ? full : { width: full.height, height: full.width };
  return { picture, size, duration };
}

const MAX_BOXES = 100_000;
/** The boxes of the index and of the frames. */
const NEEDED = new Set(['moov', 'moof', 'mdat']);

/**
 * Whether an MP4 file is as long as its boxes say: a truncated file is found without reading it. Data after the boxes
 * is ignored. (ISO/IEC 14496-12, 4.2.)
 */
async function isWholeMp4(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const head = Buffer.alloc(16);
  let hasMovie = false;
  let at = 0;
  for (let boxes = 0; boxes < MAX_BOXES; boxes++) {
    const { bytesRead } = await handle.read(head, 0, 16, at);
    if (bytesRead < 8) return hasMovie;
    const type = head.toString('latin1', 4, 8);
    const length = lengthOf(head, size - at);
    if (length < 8) return hasMovie;
    at += length;
    if (at > size) return hasMovie && !NEEDED.has(type);
    hasMovie ||= type === 'moov';
  }
  return false;
}

/** Lengths of 32 bits; 1 stands for one of 64 bits, 0 for the rest of the file. */
function lengthOf(head: Buffer, rest: number): number {
  const length = head.readUInt32BE(0);
  if (length === 0) return rest;
  return length === 1 ? Number(head.readBigUInt64BE(8)) : length;
}
