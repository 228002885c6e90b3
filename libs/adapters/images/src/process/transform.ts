import type { Metadata, Sharp } from 'sharp';
import type { PictureFacts } from '#sources';
import { sizeOf, type Format } from '#transformation';
import { passedOn } from '../marks/marks.ts';
import { inspect, openPicture, readable, withoutMetadata } from './decode.ts';
import { inSrgb } from './derive.ts';
import { labelOn } from './mark.ts';
import type { PictureTask } from './picture-process.ts';

/** Effort of WebP and AVIF: a request waits. For AVIF 4 takes ten times as long as 2, and saves a few per cent. */
const EFFORT = 2;
/** The quality of a PNG, which no encoder reads. */
const LOSSLESS = 100;
/** AVIF looks alike with a lower number than JPEG and WebP. */
const AVIF_DISCOUNT = 17;
const WHITE = '#fff';
const TRANSPARENT = '#0000';

type Task = Extract<PictureTask, { kind: 'transform' }>;

/** @throws UnreadablePicture */
export async function transform(task: Task, inspected: () => void): Promise<PictureFacts> {
  const { file, contentType, wanted, label, target } = task;
  const picture = await openPicture(await withoutMetadata(task), contentType);
  const metadata = await inspect(picture);
  inspected();
  const format = wanted.format === 'auto' ? await losslessWhereTransparent(picture, metadata) : wanted.format;
  const { width, height } = sizeOf(wanted, metadata.autoOrient);
  const resized = inSrgb(picture.autoOrient(), metadata).resize(width, height, {
    fit: wanted.fit === 'inside' ? 'fill' : wanted.fit,
    background: format === 'jpeg' ? WHITE : TRANSPARENT,
  });
  if (label !== null) {
    resized.composite([await labelOn(label, { width, height })]);
    // Drawing adds a channel to a picture without one, except where a transparent ground has added it.
    if (!metadata.hasAlpha && wanted.fit !== 'contain') resized.removeAlpha();
  }
  const encoded = encodedAs(format, resized, wanted.quality ?? LOSSLESS);
  const xmp = await passedOn(file, contentType);
  if (xmp !== null) encoded.withXmp(xmp);
  const written = await readable(encoded.toFile(target));
  return { contentType: `image/${format}`, width: written.width, height: written.height };
}

async function losslessWhereTransparent(picture: Sharp, { hasAlpha }: Metadata): Promise<'jpeg' | 'png'> {
  if (!hasAlpha) return 'jpeg';
  return (await readable(picture.clone().stats())).isOpaque ? 'jpeg' : 'png';
}

function encodedAs(format: Exclude<Format, 'auto'>, picture: Sharp, quality: number): Sharp {
  switch (format) {
    case 'webp':
      return picture.webp({ quality, effort: EFFORT });
    case 'avif':
      return picture.avif({ quality: quality - AVIF_DISCOUNT, effort: EFFORT, chromaSubsampling: '4:2:0' });
    case 'jpeg':
      return picture.flatten({ background: WHITE }).jpeg({ quality });
    case 'png':
      return picture.png();
  }
}
