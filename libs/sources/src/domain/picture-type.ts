import type { FileExtension } from '#files';

/** Longest sides of the thumbnails of everything that can be seen, in pixels, smallest first. */
export const THUMBNAIL_EDGES = [320, 1024] as const;

/** The content types of pictures, each with the extension of their files. */
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

/** Vector pictures have no pixels of their own. */
export function isVectorType(contentType: string): boolean {
  return contentType === 'image/svg+xml';
}

/** The file name of a picture that came without one. */
export function nameOfPicture(contentType: string): string {
  return `picture.${EXTENSIONS.get(contentType)}`;
}
