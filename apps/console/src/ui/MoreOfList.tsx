import { Button, Center } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useEffect } from 'react';
import { words } from '../words.ts';
import { ErrorNotice } from './ErrorNotice.tsx';

interface MoreOfListProps {
  /** An infinite query. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetching: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: unknown;
    readonly fetchNextPage: () => unknown;
  };
}

/** The end of what is loaded of a list: the rest is loaded when it comes into view, or at the press of a button. */
export function MoreOfList({ query }: MoreOfListProps) {
  const { hasNextPage, isFetching, isFetchNextPageError, error, fetchNextPage } = query;
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const isDue = inViewport && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (isDue) fetchNextPage();
  }, [isDue, fetchNextPage]);
  if (isFetchNextPageError) return <ErrorNotice error={error} onRetry={() => fetchNextPage()} />;
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
