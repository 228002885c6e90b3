import type { FileExtension } from '#files';

/** Longer sides of thumbnails in pixels, smallest first. */
export const THUMBNAIL_EDGES = [320, 1024] as const;

/**
 * The targets of a picture whose thumbnails differ: it is never enlarged, so larger edges than its own make equal
 * ones.
 */
export function distinctTargets<T extends { readonly edge: number }>(
  targets: readonly T[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly T[] {
  const longest = Math.max(width, height);
  return targets.filter(({ edge }) => !targets.some((other) => other.edge < edge && other.edge >= longest));
}

/** The content types of pictures, with their file extension. */
const EXTENSIONS: ReadonlyMap<string, FileExtension> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['image/tiff', 'tiff'],
  ['image/svg+xml', 'svg'],
]);

export function isPictureType(contentType: string): boolean {
  return EXTENSIONS.has(contentType);
}

export function isVectorType(contentType: string): boolean {
  return contentType === 'image/svg+xml';
}

/** The file name of a picture without a name. */
export function nameOfPicture(contentType: string): string {
  return `picture.${EXTENSIONS.get(contentType)}`;
}
