import type { PictureDto } from '../api/index.ts';
import { unsigned } from '../file-url.ts';

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

/** Longer than that of any stored file. */
const MAX_URL = 900;

/** A file whose thumbnails the service may have. */
export function isLookedUp({ url: given, content_type }: StoredMedia): boolean {
  const url = unsigned(given);
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
