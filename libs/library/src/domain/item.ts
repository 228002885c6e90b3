import type { ModelKind } from '#catalogue';
import type { FileOrigin } from '#files';

/** Kinds of items: an output has the kind of its model. */
export const ITEM_KINDS = ['image', 'video', 'vector', 'model3d', 'mask'] as const satisfies readonly ModelKind[];
export type ItemKind = (typeof ITEM_KINDS)[number];

export const ITEM_ORIGINS = ['output', 'upload', 'import'] as const satisfies readonly FileOrigin[];

export const MAX_RATING = 5;

/** The kind of a file that is no output. */
export function kindOfFile(contentType: string): ItemKind {
  if (contentType === 'image/svg+xml') return 'vector';
  if (contentType.startsWith('image/')) return 'image';
  return contentType.startsWith('video/') ? 'video' : 'model3d';
}
