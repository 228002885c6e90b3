import sharp from 'sharp';
import { provenanceOf, xmpPacketOf } from '#files';
import type { VideoPreview } from '#sources';
import { passedOn } from '../marks/marks.ts';
import { readable } from '../process/decode.ts';
import type { PictureTask } from '../process/picture-process.ts';
import { makePreview } from '../process/preview.ts';
import { UnreadablePicture } from '../strip/reader.ts';
import { containerOf } from './container.ts';
import type { VideoFrame } from './read-frame.ts';

/**
 * @returns `null` when FFmpeg can't be loaded: it is an optional dependency, and its binary may not fit this machine
 * @throws UnreadablePicture
 */
export async function previewVideo({
  file,
  thumbnails,
  mark,
}: Extract<PictureTask, { kind: 'preview-video' }>): Promise<VideoPreview | null> {
  const ffmpeg = await import('./read-frame.ts').catch(() => null);
  if (!ffmpeg) return null;
  const container = await containerOf(file);
  if (!container) throw new UnreadablePicture('the video is truncated');
  const { picture, size, duration } = await readable(ffmpeg.readFrame(file, container).then(takePoster));
  const xmp = mark ? xmpPacketOf(provenanceOf(mark)) : await passedOn(file, 'video/mp4');
  return { ...(await makePreview(picture, size, thumbnails, { xmp })), duration };
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
