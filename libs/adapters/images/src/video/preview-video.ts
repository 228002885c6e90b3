import sharp from 'sharp';
import type { ThumbnailTarget, VideoPreview } from '#sources';
import { readable } from '../process/decode.ts';
import { makePreview } from '../process/preview.ts';
import { UnreadablePicture } from '../strip/reader.ts';
import { containerOf } from './container.ts';
import type { VideoFrame } from './read-frame.ts';

/**
 * @returns `null` when FFmpeg can't be loaded: it is an optional dependency, and its binary may not fit this machine
 * @throws UnreadablePicture
 */
export async function previewVideo(file: string, thumbnails: readonly ThumbnailTarget[]): Promise<VideoPreview | null> {
  const ffmpeg = await import('./read-frame.ts').catch(() => null);
  if (!ffmpeg) return null;
  const container = await containerOf(file);
  if (!container) throw new UnreadablePicture('the video is truncated');
  const { picture, size, duration } = await readable(ffmpeg.readFrame(file, container).then(takePoster));
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
