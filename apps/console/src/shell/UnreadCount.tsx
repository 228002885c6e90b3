import { Badge, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { inboxListOptions } from '../api/index.ts';
import { words } from './words.ts';

/** The service counts no further. */
const MOST = 100;

/** The number of unread entries of the inbox, read again each minute while the window is visible. */
export function UnreadCount() {
  const { data } = useQuery({ ...inboxListOptions({ query: { unread: true, limit: 1 } }), refetchInterval: 60_000 });
  if (!data?.unread) return null;
  return (
    <Badge size="sm" ml="auto" circle={data.unread < 10}>
      {data.unread < MOST ? data.unread : `${MOST - 1}+`}
      <VisuallyHidden> {words.unread}</VisuallyHidden>
    </Badge>
  );
}
