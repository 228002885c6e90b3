import sharp, { type Sharp } from 'sharp';
import type { Size } from '../output-size.ts';
import { pictureFromRgb, rgbFromPicture } from './oklab.ts';
import { PLANES, type Picture } from './picture.ts';

/** An input that cannot be used. The message is shown to the caller. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
}

export interface ReadPicture {
  readonly picture: Picture;
  /** Opacity, one byte per pixel; `null` when every pixel is opaque. */
  readonly alpha: Uint8Array | null;
}

const MAX_SOURCE_PIXELS = 50_000_000;

// This process opens untrusted files: only the formats of uploaded pictures are parsed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}File`) });
sharp.concurrency(1);
sharp.cache(false);

/**
 * The size of a file's picture after its orientation is applied.
 *
 * @param role names the file in error messages, such as `input image`
 */
export async function sourceSize(file: string, role: string): Promise<Size> {
  const { autoOrient } = await decode(role, open(file).metadata());
  return autoOrient;
}

/** Reads a picture upright, in sRGB, scaled to fill `size`; the excess is cropped evenly. */
export async function readPicture(file: string, role: string, size: Size): Promise<ReadPicture> {
  const { data, info } = await decode(role, pixels(open(file), size));
  const picture = pictureFromRgb(data, info.width, info.height, info.channels);
  return { picture, alpha: info.channels === 4 ? separateAlpha(picture, data) : null };
}

/** Reads a picture like `readPicture`, on a white background, as three bytes per pixel. */
export async function readOpaqueRgb(file: string, role: string, size: Size): Promise<Buffer> {
  const { data } = await decode(role, pixels(open(file).flatten({ background: '#ffffff' }), size));
  return data;
}

/** Writes WebP: small, supports opacity, and the same picture always gives the same bytes. */
export async function writePicture(picture: Picture, alpha: Uint8Array | null, file: string): Promise<void> {
  const { width, height } = picture;
  const image = sharp(rgbFromPicture(picture), { raw: { width, height, channels: 3 } });
  if (alpha) image.joinChannel(Buffer.from(alpha.buffer), { raw: { width, height, channels: 1 } });
  await image.webp({ quality: 90, effort: 2 }).toFile(file);
}

function open(file: string): Sharp {
  return sharp(file, { limitInputPixels: MAX_SOURCE_PIXELS, autoOrient: true });
}

function pixels(image: Sharp, { width, height }: Size) {
  return image
    .resize(width, height, { fit: 'cover' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

/** Returns the opacity and gives invisible pixels the mean colour, so that they do not bleed into visible ones. */
function separateAlpha(picture: Picture, data: Uint8Array): Uint8Array | null {
  const alpha = new Uint8Array(picture.l.length);
  for (let i = 0; i < alpha.length; i++) alpha[i] = data[i * 4 + 3]!;
  if (alpha.every((opacity) => opacity === 255)) return null;
  const total = alpha.reduce((sum, opacity) => sum + opacity, 0);
  for (const plane of PLANES.map((name) => picture[name])) {
    let sum = 0;
    for (let i = 0; i < plane.length; i++) sum += plane[i]! * alpha[i]!;
    for (let i = 0; i < plane.length; i++) if (alpha[i] === 0 && total > 0) plane[i] = sum / total;
  }
  return alpha;
}

async function decode<T>(role: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new UnusableInput(`the ${role} can't be read as a picture`, { cause: error });
  }
}
