/** What a caller asks of a list: at most `limit` entries, from after `after` (an id) on; newest first. */
export interface PageRequest {
  /** 1..200; `null` for the whole list. */
  readonly limit: number | null;
  readonly after: number | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The id to continue after, or `null` at the end. */
  readonly next: number | null;
}

export const MAX_PAGE = 200;
export const DEFAULT_PAGE = 50;

/** Cuts rows that were read with one more than asked for into a page. */
export function pageOf<T>(rows: readonly T[], limit: number | null, idOf: (row: T) => number): Page<T> {
  if (limit === null || rows.length <= limit) return { items: rows, next: null };
  const items = rows.slice(0, limit);
  return { items, next: idOf(items[limit - 1]!) };
}
