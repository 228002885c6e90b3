import { isPictureType, isVectorType, nameOfPicture } from '#sources';

/** The kind of a file decides how a board prepares and shows it. */
export type MediaKind = 'picture' | 'drawing' | 'video' | 'model';

/** The supported content types other than pictures, each with a file name. */
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

/** The file name for a source of a supported type that has no name of its own. */
export function nameOfMedia(contentType: string): string {
  return OTHERS.get(contentType)?.filename ?? nameOfPicture(contentType);
}
