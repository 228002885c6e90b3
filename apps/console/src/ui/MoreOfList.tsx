import { Center } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useCallback, useEffect } from 'react';
import { ActionButton } from './ActionButton.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { words } from './words.ts';

/** The part of an infinite query that loads its next page. */
export interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  readonly fetchNextPage: () => unknown;
}

interface MoreOfListProps {
  readonly query: Pages;
}

/** Returns a function that loads the next page. After an error only `NextPageError` loads it. */
export function useNextPage({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}

/** Shown below a list whose next page could not be loaded. */
export function NextPageError({ query }: MoreOfListProps) {
  return query.isFetchNextPageError && <ErrorNotice error={query.error} onRetry={() => query.fetchNextPage()} />;
}

/** Loads the next page when it scrolls into view, or at the press of its button. */
export function MoreOfList({ query }: MoreOfListProps) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const readNext = useNextPage(query);
  useEffect(() => {
    if (inViewport) readNext();
  }, [inViewport, readNext]);
  if (isFetchNextPageError) return <NextPageError query={query} />;
  return (
    <Center ref={ref} mt="sm" mih={1}>
      {hasNextPage && (
        <ActionButton label={words.more} variant="subtle" loading={isFetching} onClick={() => fetchNextPage()} />
      )}
    </Center>
  );
}
