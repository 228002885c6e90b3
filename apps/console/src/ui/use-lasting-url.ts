import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { expiryOf, isSameFile } from '../file-url.ts';

/** A URL that expires sooner is replaced by the next one. */
const SOON_MS = 300_000;
/** The pause in which a list is not read again for its URLs, which may be of files that are gone. */
const AGAIN_MS = 60_000;

/**
 * The URL to load a file from, and a function that reports that it could not be loaded. While the service signs it anew each
 * hour it stays the same, so that nothing is loaded twice; one that failed is replaced as soon as its list is read again.
 */
export function useLastingUrl<Url extends string | null>(url: Url) {
  const queries = useQueryClient();
  const [used, setUsed] = useState({ url, hasFailed: false });
  const isKept = used.url === url || (!used.hasFailed && lasts(used.url, url));
  if (!isKept) setUsed({ url, hasFailed: false });
  const shown = isKept ? used.url : url;
  /** @returns whether a list on the screen has the URL, and is read again */
  const fail = useCallback((): boolean => {
    setUsed({ url: shown, hasFailed: true });
    return shown !== null && readAgain(queries, shown);
  }, [queries, shown]);
  return [shown, fail] as const;
}

function lasts(used: string | null, next: string | null): boolean {
  if (used === null || next === null || !isSameFile(used, next)) return false;
  const end = expiryOf(used);
  return end !== null && end.getTime() - Date.now() > SOON_MS;
}

const readAt = new WeakMap<Query, number>();

/**
 * Reads what is shown and has this URL again, which may have expired or become private. Tiles fail by the dozen: at most
 * once a minute.
 */
function readAgain(queries: QueryClient, url: string): boolean {
  const text = JSON.stringify(url);
  const holding = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => JSON.stringify(state.data ?? null).includes(text) });
  const due = holding.filter((query) => Date.now() - (readAt.get(query) ?? 0) > AGAIN_MS);
  for (const query of due) readAt.set(query, Date.now());
  void queries.refetchQueries({ predicate: (query) => due.includes(query) }, { cancelRefetch: false });
  return holding.length > 0;
}
