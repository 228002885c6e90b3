import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { eventsListQueryKey, useLiveEvents, x12 } from '../../api/index.ts';
import { type EventPages, lastNumber, withEvent } from './events.ts';

const PAGE = 50;

/**
 * The events that match, newest first. New ones are put on top while the page is visible.
 *
 * @param types separated by commas; empty for all
 */
export function useEvents(types: string, subject: string) {
  const queries = useQueryClient();
  const query = { types: types || undefined, subject: subject || undefined, order: 'newest', limit: PAGE } as const;
  const queryKey = [...eventsListQueryKey({ query }), 'pages'];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: before, signal }) => x12.events.list({ ...query, before }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ events }) => (events.length < PAGE ? undefined : events.at(-1)?.number),
  });
  const followed = {
    ...{ types, subject, isOn: list.isSuccess && !list.isRefetching },
    last: () => lastNumber(queries.getQueryData<EventPages>(queryKey)),
  };
  useLiveEvents(followed, (event) =>
    queries.setQueryData<EventPages>(queryKey, (data) => data && withEvent(data, event)),
  );
  return list;
}
