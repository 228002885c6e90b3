import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { type InboxEntryDto, inboxListInfiniteOptions, refresh, usePages, x12 } from '../../api/index.ts';
import { notifyDone, notifyError } from '../../ui/index.ts';
import type { Kind } from './entries.ts';
import { words } from './words.ts';

const PAGE = 50;
const NONE: readonly InboxEntryDto[] = [];

/** @param show `unread` entries, requests for changes that are `open`, or all */
export function useInbox(kinds: readonly Kind[], show: string) {
  const shown = { unread: show === 'unread' || undefined, open: show === 'open' || undefined };
  const query = { limit: PAGE, ...shown, kinds: kinds.length > 0 ? [...kinds] : undefined };
  const options = { ...inboxListInfiniteOptions({ query }), placeholderData: keepPreviousData };
  const { list, items: entries = NONE } = usePages(options, (page) => page.items);
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
