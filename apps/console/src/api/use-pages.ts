import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { X12Error } from '#client';

interface Page {
  readonly next_cursor: string | null;
}

/** Options of a list, such as `boardsListInfiniteOptions` makes them. */
type ListOptions<Of extends Page, Key extends QueryKey, Param> = Omit<
  UseInfiniteQueryOptions<Of, X12Error, InfiniteData<Of>, Key, Param>,
  'initialPageParam' | 'getNextPageParam'
>;

/** Reads a list page by page. @returns its query, and the items read so far; undefined before the first page */
export function usePages<Of extends Page, Item, Key extends QueryKey, Param>(
  options: ListOptions<Of, Key, Param>,
  itemsOf: (page: Of) => readonly Item[],
) {
  const list = useInfiniteQuery({
    ...options,
    initialPageParam: {} as Param,
    getNextPageParam: ({ next_cursor: cursor }) => cursor as Param | null,
  });
  // The same in each render.
  const [of] = useState(() => itemsOf);
  const items = useMemo(() => list.data?.pages.flatMap(of), [list.data, of]);
  return { list, items };
}

/** Reads a list to its end, page by page. */
export function useAllPages<Of extends Page, Item, Key extends QueryKey, Param>(
  ...list: Parameters<typeof usePages<Of, Item, Key, Param>>
) {
  const pages = usePages(...list);
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages.list;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return pages;
}
