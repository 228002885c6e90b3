import type { LibraryItemDto } from '../api/index.ts';

/** An item of the library, as the grid shows it. */
export interface Item extends LibraryItemDto {
  readonly id: number;
}

/** 0 takes the rating off. */
export const RATINGS = [0, 1, 2, 3, 4, 5] as const;

export function itemOf(item: LibraryItemDto): Item {
  return { ...item, id: item.file_id };
}
