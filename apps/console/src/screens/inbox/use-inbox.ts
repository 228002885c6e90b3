import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { inboxListInfiniteOptions, refresh, x12 } from '../../api/index.ts';
import { notifyDone, notifyError } from '../../ui/index.ts';
import type { Kind } from './entries.ts';
import { words } from './words.ts';

const PAGE = 50;

/** @param show `unread` entries, requests for changes that are `open`, or all */
export function useInbox(kinds: readonly Kind[], show: string) {
  const shown = { unread: show === 'unread' || undefined, open: show === 'open' || undefined };
  const query = { limit: PAGE, ...shown, kinds: kinds.length > 0 ? [...kinds] : undefined };
  const list = useInfiniteQuery({
    ...inboxListInfiniteOptions({ query }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const entries = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  return { list, entries, unread: list.data?.pages[0]?.unread ?? 0 };
}

/** Marks an entry as read, or all. */
export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number | 'all') => x12.inbox.markRead(id === 'all' ? { all: true } : { ids: [id] }),
    onSuccess: (_, id) => id === 'all' && notifyDone(words.marked),
    onError: (error) => notifyError(error),
    onSettled: () => refresh(queries, 'inbox'),
  });
}
