import type { LibraryItemDto } from '../api/index.ts';
import { fileName } from '../text.ts';

/** An item of the library, as the grid shows it. */
export interface Item extends LibraryItemDto {
  readonly id: number;
  /** The prompt or the file name. */
  readonly name: string;
}

/** 0 takes the rating off. */
export const RATINGS = [0, 1, 2, 3, 4, 5] as const;

export function itemOf(item: LibraryItemDto): Item {
  return { ...item, id: item.file_id, name: nameOf(item) };
}

function nameOf({ prompt, filename, url }: LibraryItemDto): string {
  return prompt?.trim() || filename || fileName(url);
}
