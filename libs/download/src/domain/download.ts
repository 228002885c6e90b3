import type { StoredFile } from '#files';
import { DomainError, notFound } from '#kernel';

/** Maximum number of files of one download. */
export const MAX_FILES = 10_000;
const MINUTES = 10;

/** Items of a download, as they are when the stream starts. */
export type Selection =
  | { readonly of: 'board'; readonly id: number }
  | { readonly of: 'folder'; readonly id: number }
  | { readonly of: 'media'; readonly ids: readonly number[] }
  | { readonly of: 'generations'; readonly ids: readonly number[] }
  | { readonly of: 'library'; readonly ids: readonly number[] };

/** A selection of items by their ids. */
export type SelectedItems = Extract<Selection, { readonly ids: readonly number[] }>;

const NAMES = { media: 'media item', generations: 'generation', library: 'library item' } as const;

/**
 * @param readiness of the items that are in the workspace
 * @throws DomainError `not_found` for items that are not there; `conflict` for items that are not ready
 */
export function assertReady({ of, ids }: SelectedItems, readiness: ReadonlyMap<number, boolean>): void {
  const unknown = ids.filter((id) => !readiness.has(id));
  if (unknown.length > 0) throw notFound(`${NAMES[of]}: ${unknown.join(', ')}`);
  const unready = ids.filter((id) => !readiness.get(id));
  if (unready.length > 0) throw new DomainError('conflict', `not ready yet: ${NAMES[of]} ${unready.join(', ')}`);
}

/** A link to a zip. Whoever has its URL can download it, while the caller who made it may still act in the workspace. */
export interface Download {
  readonly id: number;
  readonly workspaceId: number;
  readonly userId: number;
  /** The API token or session that made it. */
  readonly tokenId: number;
  readonly selection: Selection;
  /** Text of the visible label on pictures that AI made; `null` for none. */
  readonly label: string | null;
  readonly expiresAt: Date;
}

export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + MINUTES * 60_000);
}

/** @throws DomainError `validation_failed` when there is no file, or more than one zip takes */
export function assertCount(files: number): void {
  if (files === 0) throw new DomainError('validation_failed', 'there are no files to download');
  if (files > MAX_FILES) {
    throw new DomainError('validation_failed', `there are more than ${MAX_FILES} files: download them in parts`);
  }
}

/** True for a picture that AI made: what people upload and import gets no label. */
export function takesLabel({ origin, contentType }: Pick<StoredFile, 'origin' | 'contentType'>): boolean {
  return origin === 'output' && contentType.startsWith('image/');
}
