import { PICTURE_STEPS, type PictureOptions, pictureUrl } from '#client/picture-url';

/** A signed URL of a stored file: what comes before its query, and the Unix seconds at which it expires. */
const SIGNED = /^([^?#]*\/files\/[\w-]+\/[^/?#]+)\?(?:[^#]*&)?expires=(\d+)(?:&share=\d+)?&signature=[\w-]{43}(?:&|$)/;

/**
 * The URL without its signature, by which a file is compared, looked up, kept and given back to the service: the signature
 * changes each hour, and whoever has it reads the file. Other URLs stay as they are.
 */
export function unsigned(url: string): string {
  return SIGNED.exec(url)?.[1] ?? url;
}

export function isSameFile(one: string, other: string): boolean {
  return unsigned(one) === unsigned(other);
}

/** When the URL expires; null for never. */
export function expiryOf(url: string): Date | null {
  const [, , seconds] = SIGNED.exec(url) ?? [];
  return seconds === undefined ? null : new Date(Number(seconds) * 1000);
}

/** Pixels for each CSS pixel of a tile: more are not worth the bytes, least of all on a phone. */
const DENSE_ENOUGH = 1.4;
/** How many times as wide as needed a thumbnail has to be before a variant of it is worth its making. */
const TOO_WIDE = 1.5;

/** A stored picture, and the options of the variant that is better; null for none. */
export interface Source {
  readonly url: string;
  readonly variant: PictureOptions | null;
}

/** The URL to load a source from. */
export function addressOf({ url, variant }: Source): string {
  return variant ? pictureUrl(url, variant) : url;
}

/**
 * The picture for a tile: the smallest thumbnail that fills the width, else the largest one; null without thumbnails. Of one
 * that is much wider, such as the large thumbnail of a tall picture, a variant.
 *
 * @param width CSS pixels
 */
export function tileSource(
  thumbnails: readonly { readonly url: string; readonly width: number }[],
  width: number,
  density = globalThis.devicePixelRatio,
  origin = globalThis.location?.origin,
): Source | null {
  const wanted = width * Math.min(density, DENSE_ENOUGH);
  const found = thumbnails.find((each) => each.width >= wanted) ?? thumbnails.at(-1);
  if (!found) return null;
  const step = PICTURE_STEPS.find((each) => each >= wanted) ?? Infinity;
  const isTooWide = found !== thumbnails[0] && found.width >= step * TOO_WIDE;
  return { url: found.url, variant: isTooWide && isTransformed(found.url, origin) ? { width: step } : null };
}

/** Reports whether the service takes options at this URL: a bucket that serves files ignores or refuses them. */
export function isTransformed(url: string, origin = globalThis.location?.origin): boolean {
  return url.startsWith(`${origin}/files/`);
}

/** Names of pictures that a variant shows as they are: those of other types may move, or have any size. */
const STILL = /\.(png|jpe?g)(\?|$)/i;
/** How many times as large as a variant a picture has to be. */
const MUCH_LARGER = 1.25;

/** The lengths in pixels of the variants for a whole window, of a picture that is much larger. */
export function stageSteps(url: string, length: number, origin?: string): readonly number[] {
  if (!isTransformed(url, origin) || !STILL.test(url)) return [];
  return [1600, 2560].filter((step) => length >= step * MUCH_LARGER);
}
