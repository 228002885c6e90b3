import sharp, { type Sharp } from 'sharp';
import type { Size } from '../output-size.ts';
import { pictureFromRgb, rgbFromPicture, type Picture } from './picture.ts';

/** An input that cannot be used. The caller sees the message. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
}

export interface ReadPicture {
  readonly picture: Picture;
  /** Opacity, one byte per pixel; `null` when every pixel is opaque. */
  readonly alpha: Uint8Array | null;
}

const MAX_SOURCE_PIXELS = 50_000_000;

/**
 * The size of a file's picture after its orientation is applied.
 *
 * @param role names the file in error messages, such as `input image`
 */
export async function sourceSize(file: string, role: string): Promise<Size> {
  return (await read(file, role, (image) => image.metadata())).autoOrient;
}

/** Reads a picture upright, in sRGB, scaled to fill `size`; the excess is cropped evenly. */
export async function readPicture(file: string, role: string, size: Size): Promise<ReadPicture> {
  const { data, info } = await read(file, role, (image) => pixelsOf(image, size));
  const picture = pictureFromRgb(data, info.width, info.height, info.channels);
  return { picture, alpha: info.channels === 4 ? separateAlpha(picture, data) : null };
}

/** Reads a picture like `readPicture`, on a white background, as three bytes per pixel. */
export async function readOpaqueRgb(file: string, role: string, size: Size): Promise<Buffer> {
  return (await read(file, role, (image) => pixelsOf(image.flatten({ background: '#ffffff' }), size))).data;
}

/** Pixels as they are, upright and in sRGB. */
export interface Pixels {
  readonly data: Buffer;
  readonly channels: 1 | 3 | 4;
}

/** Reads a picture in its own size, with every pixel as it is. */
export async function readPixels(file: string, role: string): Promise<Pixels> {
  const { data, info } = await read(file, role, (image) =>
    image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }),
  );
  if (info.channels !== 1 && info.channels !== 2) return { data, channels: info.channels as 3 | 4 };
  throw new UnusableInput(`the ${role} can't be read as a picture`);
}

/** The brightness of each pixel of a picture, one byte per pixel. */
export async function readBrightness(file: string, role: string): Promise<Buffer> {
  return read(file, role, (image) =>
    image.flatten({ background: '#000' }).greyscale().toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer(),
  );
}

/** Scales a picture to a size, as three bytes per pixel. */
export async function scaledRgb(picture: Picture, { width, height }: Size): Promise<Buffer> {
  const raw = { width: picture.width, height: picture.height, channels: 3 as const };
  return sharp(rgbFromPicture(picture), { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer();
}

/** Writes a PNG, which keeps every pixel. */
export async function writePixels({ data, channels }: Pixels, { width, height }: Size, file: string): Promise<void> {
  const image = sharp(data, { raw: { width, height, channels } });
  await (channels === 1 ? image.toColourspace('b-w') : image).png({ compressionLevel: 6 }).toFile(file);
}

/** Scales a mask to a size, with soft edges. */
export async function scaledMask(mask: Buffer, from: Size, { width, height }: Size): Promise<Buffer> {
  const raw = { width: from.width, height: from.height, channels: 1 as const };
  const scaled = sharp(mask, { raw }).resize(width, height, { fit: 'fill', kernel: 'cubic' });
  return scaled.toColourspace('b-w').raw().toBuffer();
}

export async function pictureFromSvg(svg: string, { width, height }: Size): Promise<Picture> {
  const pixels = await sharp(Buffer.from(svg)).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  return pictureFromRgb(pixels, width, height);
}

/** Writes WebP: small, supports opacity, and the same picture always gives the same bytes. */
export async function writePicture(picture: Picture, alpha: Uint8Array | null, file: string): Promise<void> {
  const { width, height } = picture;
  const image = sharp(rgbFromPicture(picture), { raw: { width, height, channels: 3 } });
  if (alpha) image.joinChannel(Buffer.from(alpha.buffer), { raw: { width, height, channels: 1 } });
  await image.webp({ quality: 90, effort: 2 }).toFile(file);
}

function pixelsOf(image: Sharp, { width, height }: Size) {
  const filled = image.resize(width, height, { fit: 'cover' }).toColourspace('srgb');
  return filled.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
}

/** Returns the opacity and gives invisible pixels the mean colour, so that they do not bleed into visible ones. */
function separateAlpha(picture: Picture, data: Uint8Array): Uint8Array | null {
  const alpha = data.filter((_, i) => i % 4 === 3);
  if (alpha.every((opacity) => opacity === 255)) return null;
  const total = alpha.reduce((sum, opacity) => sum + opacity, 0) || 1;
  for (const plane of picture.planes) {
    const mean = plane.reduce((sum, value, i) => sum + value * alpha[i]!, 0) / total;
    for (const [i, opacity] of alpha.entries()) if (opacity === 0) plane[i] = mean;
  }
  return alpha;
}

async function read<T>(file: string, role: string, work: (image: Sharp) => Promise<T>): Promise<T> {
  try {
    return await work(sharp(file, { limitInputPixels: MAX_SOURCE_PIXELS, autoOrient: true }));
  } catch (error) {
    throw new UnusableInput(`the ${role} can't be read as a picture`, { cause: error });
  }
}
