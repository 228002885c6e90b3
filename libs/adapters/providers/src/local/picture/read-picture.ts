import sharp from 'sharp';
import type { Size } from '../output-size.ts';
import { pictureFromRgb } from './oklab.ts';
import type { Picture } from './picture.ts';

/** An input that can't be used, whose message tells the caller so. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
}

export interface ReadPicture {
  readonly picture: Picture;
  /** Opacity, one byte a pixel; `null` when every pixel is opaque. */
  readonly alpha: Uint8Array | null;
}

const MAX_SOURCE_PIXELS = 50_000_000;

// This process opens strangers' files: only the formats that pictures come in here are ever parsed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}File`),
});
sharp.concurrency(1);
sharp.cache(false);

/**
 * The size of a file's picture when it is upright.
 *
 * @param role how messages name the file, such as `input image`
 */
export async function sourceSize(file: string, role: string): Promise<Size> {
  const { autoOrient } = await decode(role, open(file).metadata());
  return autoOrient;
}

/** Reads a picture upright, in sRGB, scaled so that it fills `width` × `height`; what sticks out is cut off evenly. */
export async function readPicture(file: string, role: string, size: Size): Promise<ReadPicture> {
  const { data, info } = await decode(
    role,
    open(file)
      .resize(size.width, size.height, { fit: 'cover' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const picture = pictureFromRgb(data, info.width, info.height, info.channels);
  return { picture, alpha: info.channels === 4 ? separateAlpha(picture, data) : null };
}

/** Reads a picture as `readPicture` does, on white, three bytes a pixel. */
export async function readOpaqueRgb(file: string, role: string, size: Size): Promise<Buffer> {
  return decode(
    role,
    open(file)
      .flatten({ background: '#ffffff' })
      .resize(size.width, size.height, { fit: 'cover' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer(),
  );
}

function open(file: string) {
  return sharp(file, { limitInputPixels: MAX_SOURCE_PIXELS, autoOrient: true });
}

/** Takes the opacity out and gives pixels that can't be seen the mean colour, so that nothing bleeds from them. */
function separateAlpha(picture: Picture, pixels: Uint8Array): Uint8Array | null {
  const alpha = new Uint8Array(picture.l.length);
  let opaque = true;
  let total = 0;
  const sums = { l: 0, a: 0, b: 0 };
  for (let i = 0; i < alpha.length; i++) {
    const opacity = (alpha[i] = pixels[i * 4 + 3]!);
    if (opacity < 255) opaque = false;
    total += opacity;
    sums.l += picture.l[i]! * opacity;
    sums.a += picture.a[i]! * opacity;
    sums.b += picture.b[i]! * opacity;
  }
  if (opaque) return null;
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i]! > 0 || total === 0) continue;
    picture.l[i] = sums.l / total;
    picture.a[i] = sums.a / total;
    picture.b[i] = sums.b / total;
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
