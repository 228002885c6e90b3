import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Picture } from './picture.ts';
import { pictureFromRgb } from './oklab.ts';

/** An input that can't be used, whose message tells the caller so. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
}

export interface ReadPicture {
  readonly picture: Picture;
  /** Opacity, one byte a pixel; `null` when every pixel is opaque. */
  readonly alpha: Uint8Array | null;
}

export interface SourceSize {
  /** Pixels, upright. */
  readonly width: number;
  readonly height: number;
  readonly vector: boolean;
}

const MAX_SOURCE_PIXELS = 50_000_000;
/** A few lines of SVG can keep a renderer busy for hours. */
const DECODE_LIMIT_MS = 20_000;

// This process opens strangers' files: only the formats that the service takes are ever parsed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg'].map((format) => `VipsForeignLoad${format}File`),
});
sharp.concurrency(1);
sharp.cache(false);

/** @param role how messages name the file, such as `input image` */
export async function sourceSize(file: string, role: string): Promise<SourceSize> {
  const { autoOrient, format } = await decode(
    role,
    sharp(file, { limitInputPixels: MAX_SOURCE_PIXELS }).metadata(),
  );
  return { ...autoOrient, vector: format === 'svg' };
}

/** Reads a picture upright, in sRGB, scaled so that it fills `width` × `height`; what sticks out is cut off evenly. */
export async function readPicture(
  file: string,
  role: string,
  source: SourceSize,
  size: { readonly width: number; readonly height: number },
): Promise<ReadPicture> {
  const { data, info } = await decode(
    role,
    open(file, source, size)
      .resize(size.width, size.height, { fit: 'cover' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const picture = pictureFromRgb(data, info.width, info.height, info.channels);
  return { picture, alpha: info.channels === 4 ? separateAlpha(picture, data) : null };
}

/** Reads a picture as `readPicture` does, on white, three bytes a pixel. */
export async function readOpaqueRgb(
  file: string,
  role: string,
  source: SourceSize,
  size: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  return decode(
    role,
    open(file, source, size)
      .flatten({ background: '#ffffff' })
      .resize(size.width, size.height, { fit: 'cover' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer(),
  );
}

function open(file: string, source: SourceSize, size: { readonly width: number; readonly height: number }) {
  const enlarge = Math.max(size.width / source.width, size.height / source.height);
  return sharp(file, {
    limitInputPixels: MAX_SOURCE_PIXELS,
    autoOrient: true,
    // A drawing is rendered at the size that is needed, not enlarged afterwards.
    ...(source.vector && { density: Math.min(2400, Math.max(72, Math.ceil(72 * enlarge))) }),
  });
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
  const limit = new AbortController();
  const late = sleep(DECODE_LIMIT_MS, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`not decoded after ${DECODE_LIMIT_MS} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw new UnusableInput(`the ${role} can't be read as a picture`, { cause: error });
  } finally {
    limit.abort();
  }
}
