import type { FileExtension } from '#files';

/** The content types that are pictures, each with the extension of their files. */
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

/** A picture that is drawn from shapes and has no pixels of its own. */
export function isVectorType(contentType: string): boolean {
  return contentType === 'image/svg+xml';
}

/** What a picture is called that came without a name. */
export function nameOfPicture(contentType: string): string {
  return `picture.${EXTENSIONS.get(contentType)}`;
}
