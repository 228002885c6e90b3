import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { type BatchDto, libraryListInfiniteOptions, type LibraryResponse, x12 } from '../../api/index.ts';
import { Changes, useShown } from '../../state/index.ts';
import { notifyError } from '../../ui/index.ts';
import { rated, type Ratings } from './best.ts';

const PAGE = 200;
/** Exceeds the time between the end of a batch and the time of its last output. */
const SLACK_MS = 60_000;
const NONE: Ratings = new Map();

const changes = new Changes<Ratings>('library');

/** The ratings of the outputs that were made while the batch ran: the library knows those with a rating, which are few. */
export function useRatings({ created_at, ended_at }: Pick<BatchDto, 'created_at' | 'ended_at'>): Ratings {
  const before = ended_at === null ? undefined : new Date(Date.parse(ended_at) + SLACK_MS).toISOString();
  const list = useInfiniteQuery({
    ...libraryListInfiniteOptions({ query: { origin: 'output', rating: 1, after: created_at, before, limit: PAGE } }),
    initialPageParam: {},
    getNextPageParam: (page: LibraryResponse) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const read = useMemo(() => {
    const items = list.data?.pages.flatMap((page) => page.items);
    return new Map(items?.map(({ file_id, rating }) => [file_id, rating]));
  }, [list.data]);
  return useShown(changes, read) ?? NONE;
}

/** Rates a file, which is shown at once; 0 takes the rating off. */
export function useRate() {
  const queries = useQueryClient();
  return useCallback(
    (fileId: number, rating: number) => {
      const show = (ratings: Ratings) => rated(ratings, fileId, rating);
      changes.make(queries, show, () => x12.library.update({ file_id: fileId, rating })).catch(notifyError);
    },
    [queries],
  );
}
