import type { PictureDto } from '../api/index.ts';

/** A picture, video or model of any origin. Of a web address only that is known, and no content type. */
export interface StoredMedia extends Partial<Omit<PictureDto, 'url' | 'name' | 'content_type'>> {
  readonly url: string;
  readonly content_type: string | null;
}

/** A picture that is known only by its URL. */
export function storedPicture(url: string): StoredMedia {
  return { url, content_type: 'image/*' };
}

export type MediaKind = 'picture' | 'video' | 'model' | 'other';

export function mediaKind(contentType: string | null): MediaKind {
  if (contentType?.startsWith('image/')) return 'picture';
  if (contentType?.startsWith('video/')) return 'video';
  return contentType?.startsWith('model/gltf') ? 'model' : 'other';
}

/** Pixels for each CSS pixel of a tile: more are not worth the bytes, least of all on a phone. */
const DENSE_ENOUGH = 1.4;

/**
 * The URL of the smallest thumbnail that fills the width, else of the largest one; null without thumbnails.
 *
 * @param width CSS pixels
 */
export function thumbnailOf(
  { thumbnails = [] }: Pick<StoredMedia, 'thumbnails'>,
  width: number,
  density = globalThis.devicePixelRatio,
): string | null {
  const wanted = width * Math.min(density, DENSE_ENOUGH);
  return (thumbnails.find((each) => each.width >= wanted) ?? thumbnails.at(-1))?.url ?? null;
}

/** Longer than that of any stored file. */
const MAX_URL = 900;

/** A file whose thumbnails the service may have. */
export function isLookedUp({ url, content_type }: StoredMedia): boolean {
  const isShown = content_type === null || ['picture', 'video'].includes(mediaKind(content_type));
  return isShown && /^https?:/.test(url) && url.length <= MAX_URL;
}

const FORMATS: Readonly<Record<string, string>> = {
  'image/svg+xml': 'SVG',
  'model/gltf-binary': 'GLB',
  'model/gltf+json': 'glTF',
  'application/octet-stream': 'FBX',
};

/** The short name of a content type: `MP4`, `SVG`. */
export function formatOf(contentType: string): string {
  return FORMATS[contentType] ?? contentType.split('/').at(-1)!.toUpperCase();
}
