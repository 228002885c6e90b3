import { Button, Center } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useCallback, useEffect } from 'react';
import { words } from '../words.ts';
import { ErrorNotice } from './ErrorNotice.tsx';

/** What of an infinite query says how it goes on. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  readonly fetchNextPage: () => unknown;
}

interface MoreOfListProps {
  readonly query: Pages;
}

/** Loads the next page, for lists that say when their end comes near. After an error only `NextPageError` does. */
export function useNextPage({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}

/** Below a list whose next page could not be loaded. */
export function NextPageError({ query }: MoreOfListProps) {
  return query.isFetchNextPageError && <ErrorNotice error={query.error} onRetry={() => query.fetchNextPage()} />;
}

/** The end of what is loaded of a list: the rest is loaded when it comes into view, or at the press of a button. */
export function MoreOfList({ query }: MoreOfListProps) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const isDue = inViewport && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (isDue) fetchNextPage();
  }, [isDue, fetchNextPage]);
  if (isFetchNextPageError) return <NextPageError query={query} />;
  return (
    <Center ref={ref} mt="sm" mih={1}>
      {hasNextPage && (
        <Button variant="subtle" loading={isFetching} onClick={() => fetchNextPage()}>
          {words.ui.more}
        </Button>
      )}
    </Center>
  );
}
