/** A page of a list, newest first: at most `limit` entries after the id `after`. */
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

export const WHOLE_LIST: PageRequest = { limit: null, after: null };
export const MAX_PAGE = 200;
export const DEFAULT_PAGE = 50;

/** Makes a page from rows that were read with `limit + 1`. */
export function pageOf<T>(rows: readonly T[], limit: number | null, idOf: (row: T) => number): Page<T> {
  if (limit === null || rows.length <= limit) return { items: rows, next: null };
  const items = rows.slice(0, limit);
  return { items, next: idOf(items[limit - 1]!) };
}
