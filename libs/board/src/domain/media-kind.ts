import { isPictureType, isVectorType, nameOfPicture } from '#sources';

/** What a file is to a board: how it is shown, and how it is prepared for that. */
export type MediaKind = 'picture' | 'drawing' | 'video' | 'model';

/** The supported content types that are no pictures, each with a name for its files. */
const OTHERS: ReadonlyMap<string, { readonly kind: MediaKind; readonly filename: string }> = new Map([
  ['video/mp4', { kind: 'video', filename: 'video.mp4' }],
  ['model/gltf-binary', { kind: 'model', filename: 'model.glb' }],
  ['model/gltf+json', { kind: 'model', filename: 'model.gltf' }],
  ['application/octet-stream', { kind: 'model', filename: 'model.fbx' }],
]);

/** `null` for a content type that is not supported. */
export function mediaKindOf(contentType: string): MediaKind | null {
  if (isVectorType(contentType)) return 'drawing';
  if (isPictureType(contentType)) return 'picture';
  return OTHERS.get(contentType)?.kind ?? null;
}

/** The file name of a media of a supported type that came without one. */
export function nameOfMedia(contentType: string): string {
  return OTHERS.get(contentType)?.filename ?? nameOfPicture(contentType);
}
