import { readFile, stat, writeFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { MAX_DECODED_BYTES, MAX_PIXELS, type PictureFacts } from '#sources';
import { MAX_PAGES, PictureTooLarge, UnreadablePicture } from '../strip/reader.ts';
import { stripMetadata } from '../strip/strip-metadata.ts';
import type { PictureTask } from './picture-process.ts';

const SVG = 'image/svg+xml';
const MAX_SVG_BYTES = 16 * 1024 * 1024;
/** Longer side of a rasterised SVG, in pixels. */
const DRAWN_EDGE = 2_048;
/** Longer side of a picture that is only decoded to validate it, in pixels. */
const PROBE_EDGE = 64;

const BYTES_PER_SAMPLE: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2, float: 4 };

/** The only decoders that may process untrusted bytes; all other loaders of libvips are blocked. */
const LOADERS = ['JpegFile', 'PngFile', 'WebpFile', 'NsgifFile', 'TiffFile', 'SvgBuffer'];

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });

/**
 * Decodes the first page of the picture completely, as cheaply as its format allows.
 *
 * @throws UnreadablePicture
 */
export async function examine(
  task: Extract<PictureTask, { kind: 'examine' }>,
  inspected: () => void,
): Promise<PictureFacts> {
  const { contentType } = task;
  const picture = await openPicture(await withoutMetadata(task), contentType);
  const metadata = await inspect(picture);
  inspected();
  if (metadata.format === 'svg') await readable(rasterised(picture).toBuffer());
  else await readable(picture.resize(PROBE_EDGE, PROBE_EDGE, { fit: 'inside' }).raw().toBuffer());
  const { width, height } = metadata.autoOrient;
  return { contentType, width, height };
}

/** @throws UnreadablePicture */
export async function rasterise(file: string, target: string): Promise<PictureFacts> {
  const { data, info } = await readable(rasterised(await openPicture(file, SVG)).toBuffer({ resolveWithObject: true }));
  await writeFile(target, data);
  return { contentType: 'image/png', width: info.width, height: info.height };
}

/**
 * Strips the metadata from an untrusted picture other than an SVG before it is decoded: an EXIF directory can refer to
 * itself, and a few bytes of text can expand to gigabytes.
 *
 * @returns the file to decode
 */
export async function withoutMetadata({
  file,
  bare,
  contentType,
}: Pick<Extract<PictureTask, { kind: 'examine' }>, 'file' | 'bare' | 'contentType'>): Promise<string> {
  if (contentType === SVG) return file;
  await stripMetadata(file, bare, contentType);
  return bare;
}

/** Opens a picture without metadata. Pass every promise that decodes it to `readable`. */
export async function openPicture(
  file: string,
  contentType: string,
  options: Pick<SharpOptions, 'animated' | 'ignoreIcc'> = {},
): Promise<Sharp> {
  const input = contentType === SVG ? await readSvg(file) : file;
  return sharp(input, { ...options, limitInputPixels: MAX_PIXELS });
}

/** Reads an SVG into memory: without a path it can't refer to files beside it. */
async function readSvg(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > MAX_SVG_BYTES) throw new PictureTooLarge(`an SVG of ${size} bytes`);
  return readFile(file);
}

function rasterised(svg: Sharp): Sharp {
  return svg.resize(DRAWN_EDGE, DRAWN_EDGE, { fit: 'inside' }).png({ compressionLevel: 3 });
}

/** @throws UnreadablePicture also when decoding the picture would exceed the memory limit */
export async function inspect(picture: Sharp): Promise<Metadata> {
  const metadata = await readable(picture.metadata());
  checkLimits(metadata);
  return metadata;
}

function checkLimits({ width, height, channels, depth, format, isProgressive, pages = 1 }: Metadata): void {
  if (pages > MAX_PAGES) throw new PictureTooLarge(`${pages} pages`);
  // A progressive JPEG keeps the coefficients of all its scans in memory.
  const copies = format === 'jpeg' && isProgressive ? 2 : 1;
  const bytes = width * height * channels * (BYTES_PER_SAMPLE[depth] ?? 8) * copies;
  if (bytes > MAX_DECODED_BYTES) throw new PictureTooLarge(`${bytes} bytes once decoded`);
}

/** Part of sharp's error message for more than `limitInputPixels`. */
const PIXEL_LIMIT_ERROR = 'exceeds pixel limit';

/** Reports every error as an unreadable picture, except system errors such as a full disk. */
export async function readable<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch (error) {
    if (isSystemError(error)) throw error;
    const refusal =
      error instanceof Error && error.message.includes(PIXEL_LIMIT_ERROR) ? PictureTooLarge : UnreadablePicture;
    throw new refusal('the picture cannot be decoded', { cause: error });
  }
}

/** An error of Node, or of libvips when the system refused something. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || error.message.includes('\nsystem error: '));
}
