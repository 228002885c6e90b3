interface Thumbnail {
  readonly url: string;
  readonly width: number;
}

/** The common fields of outputs of generations and media of boards. */
export interface StoredMedia {
  readonly url: string;
  readonly content_type: string | null;
  readonly width?: number | null;
  readonly height?: number | null;
  /** In base64. */
  readonly placeholder?: string | null;
  readonly thumbnails?: readonly Thumbnail[];
}

export type MediaKind = 'picture' | 'video' | 'model' | 'other';

export function mediaKind(contentType: string | null): MediaKind {
  if (contentType?.startsWith('image/')) return 'picture';
  if (contentType?.startsWith('video/')) return 'video';
  return contentType?.startsWith('model/gltf') ? 'model' : 'other';
}

/**
 * The URL of the smallest thumbnail that fills the width, else of the largest thumbnail, else of the picture itself.
 *
 * @param width CSS pixels
 */
export function thumbnailOf(media: StoredMedia, width: number, density = globalThis.devicePixelRatio): string | null {
  const thumbnails = media.thumbnails ?? [];
  const wide = thumbnails.find((each) => each.width >= width * density) ?? thumbnails.at(-1);
  return wide?.url ?? (mediaKind(media.content_type) === 'picture' ? media.url : null);
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
