import type { FileOrigin, FileSource } from '#files';
import { invalidField } from '#kernel';
import type { ItemKind } from './item.ts';

export const LIBRARY_SORTS = ['newest', 'oldest', 'rating', 'relevance'] as const;
export type LibrarySort = (typeof LIBRARY_SORTS)[number];

/** Which items are searched, and in which order. Absent properties do not restrict. */
export interface LibraryFilter {
  readonly text?: string;
  readonly kinds?: readonly ItemKind[];
  readonly origin?: FileOrigin;
  /** Another name of `origin`; no item is `derived`. */
  readonly source?: FileSource;
  readonly model?: string;
  readonly personaId?: number;
  readonly userId?: number;
  readonly customer?: string;
  /** The id of the generation that made them. */
  readonly generationId?: number;
  /** All of them. */
  readonly tags?: readonly string[];
  /** At least. */
  readonly rating?: number;
  /** A colour near one of the dominant colours, `#rrggbb`. */
  readonly color?: string;
  /** The id of a file that items are like. */
  readonly like?: number;
  /** Created at this time or later. */
  readonly after?: Date;
  /** Created before this time. */
  readonly before?: Date;
  readonly sort?: LibrarySort;
}

/** Meaning of `relevance`: the nearest first, or the best match of the words. */
export type Relevance = 'look' | 'color' | 'words';

export function relevanceOf({ like, color, text }: LibraryFilter): Relevance | null {
  if (like !== undefined) return 'look';
  if (color !== undefined) return 'color';
  return text === undefined ? null : 'words';
}

/**
 * The order of the items: what is searched by words, a colour or a look comes by relevance unless another is asked for.
 *
 * @throws DomainError `validation_failed` for relevance without anything that it is measured by
 */
export function sortOf(filter: LibraryFilter): LibrarySort {
  const relevance = relevanceOf(filter);
  if (filter.sort === 'relevance' && relevance === null) {
    throw invalidField('sort', 'must be newest, oldest or rating without q, color and like');
  }
  return filter.sort ?? (relevance === null ? 'newest' : 'relevance');
}

/** Where a page continues: numbers whose meaning only the search of that order knows. */
export interface LibraryCursor {
  readonly sort: LibrarySort;
  readonly position: readonly number[];
}
