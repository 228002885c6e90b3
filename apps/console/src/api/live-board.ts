import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Onlooker } from '#client';
import { boardsGetQueryKey } from '#client/query';
import { x12 } from './client.ts';
import { isRefusal } from '../refusal.ts';

/** Queries of the review of an item, and searches. */
const REVIEW = ['boardsMediaCommentsList', 'boardsMediaDecisionsList', 'boardsMediaList'];
/** Changes that follow each other quickly are read together. */
const READ_EVERY_MS = 400;
/** How often a board is read, and its stream tried again, while it can't be followed. */
export const RETRY_MS = 5_000;
const NOBODY: readonly Onlooker[] = [];

/**
 * Follows the events of a board while its page is visible: reads the board and the review that is shown again after each
 * change. Browsers open six connections to a host over HTTP/1.1, and hidden pages need none.
 *
 * @returns who looks at the board now
 */
export function useLiveBoard(id: number): readonly Onlooker[] {
  const queries = useQueryClient();
  const isVisible = useIsVisible();
  const [people, setPeople] = useState(NOBODY);
  useEffect(() => {
    if (!isVisible) return;
    const stop = new AbortController();
    follow(queries, id, setPeople, stop.signal).catch(() => {});
    return () => {
      stop.abort();
      setPeople(NOBODY);
    };
  }, [queries, id, isVisible]);
  return people;
}

/** Reports whether the page is visible. Streams of hidden pages are closed: browsers open few connections. */
export function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}

async function follow(
  queries: QueryClient,
  id: number,
  onPeople: (people: readonly Onlooker[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const read = readerOf(queries, id, signal);
  while (!signal.aborted) {
    try {
      for await (const event of x12.boardEvents(id, { signal })) {
        if (event.type === 'presence') onPeople(event.people);
        else read();
      }
    } catch (error) {
      if (signal.aborted) return;
      onPeople(NOBODY);
      read();
      // The read shows why, such as that the board is gone.
      if (isRefusal(error)) return;
      await wait(RETRY_MS);
    }
  }
}

/** Reads what is shown of the board now; again as soon as it has been read, if it is called meanwhile. */
function readerOf(queries: QueryClient, id: number, signal: AbortSignal): () => void {
  const [{ _id: board }] = boardsGetQueryKey({ path: { id } });
  const isShown = (key: unknown) => {
    const { _id, path } = key as { readonly _id?: string; readonly path?: { id?: number; board_id?: number } };
    return (_id === board && path?.id === id) || (REVIEW.includes(_id ?? '') && path?.board_id === id);
  };
  let isStale = false;
  let isReading = false;
  const readAll = async () => {
    isReading = true;
    while (isStale && !signal.aborted) {
      isStale = false;
      await queries.invalidateQueries({ predicate: ({ queryKey }) => isShown(queryKey[0]) });
      await wait(READ_EVERY_MS);
    }
    isReading = false;
  };
  return () => {
    isStale = true;
    if (!isReading) void readAll();
  };
}

export const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
