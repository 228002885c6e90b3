import { writeFile } from 'node:fs/promises';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { distinctTargets, lookOf, type Preview, type ThumbnailFile, type ThumbnailTarget } from '#sources';

const QUALITY = 80;
/** More effort saves few bytes for much time. */
const EFFORT = 2;
/** The largest picture that a ThumbHash and a look are computed from. */
const PLACEHOLDER_EDGE = 100;

/** Raw pixels in sRGB. */
interface Pixels {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

/**
 * Makes each smaller picture from the next larger one; the source is decoded once, and only as far as needed.
 *
 * @param options.xmp packet for each thumbnail
 */
export async function makePreview(
  source: Sharp,
  { width, height }: { readonly width: number; readonly height: number },
  targets: readonly ThumbnailTarget[],
  { enlarge = false, xmp = null }: { readonly enlarge?: boolean; readonly xmp?: string | null } = {},
): Promise<Preview> {
  const distinct = enlarge ? targets : distinctTargets(targets, { width, height });
  const made = new Map<ThumbnailTarget, ThumbnailFile>();
  let from = source;
  for (const target of distinct.toSorted((a, b) => b.edge - a.edge)) {
    const pixels = await shrink(from, target.edge, enlarge);
    from = pictureOf(pixels);
    const small = from.clone().webp({ quality: QUALITY, effort: EFFORT });
    await writeFile(target.file, await (xmp === null ? small : small.withXmp(xmp)).toBuffer());
    made.set(target, { file: target.file, width: pixels.info.width, height: pixels.info.height });
  }
  const smallest = await shrink(from, PLACEHOLDER_EDGE, enlarge);
  return {
    width,
    height,
    thumbnails: distinct.map((target) => made.get(target)!),
    placeholder: await placeholderOf(smallest),
    look: lookOf({ data: smallest.data, ...smallest.info }),
  };
}

function shrink(picture: Sharp, edge: number, enlarge: boolean): Promise<Pixels> {
  return picture
    .resize(edge, edge, { fit: 'inside', withoutEnlargement: !enlarge })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

function pictureOf({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

async function placeholderOf(pixels: Pixels): Promise<string> {
  const rgba = await pictureOf(pixels).ensureAlpha().raw().toBuffer();
  const { width, height } = pixels.info;
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
}
