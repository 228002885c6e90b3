import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type {
  ChecksResponse,
  PlansResponse,
  ProvidersResponse,
  QueuesResponse,
  SettingsResponse,
  StoredResponse,
  UsersResponse,
} from './generated/index.ts';
import type { OperatorAccess } from './operator-access.ts';

interface Reads {
  readonly doctor: ChecksResponse;
  readonly providers: ProvidersResponse;
  readonly queues: QueuesResponse;
  readonly storage: StoredResponse;
  readonly plans: PlansResponse;
  readonly settings: SettingsResponse;
}

/** Milliseconds between two reads while the page is visible. Some reads call vendors or count all files. */
const PAUSES: Readonly<Record<keyof Reads, number | false>> = {
  queues: 5000,
  doctor: 60_000,
  providers: 60_000,
  storage: 60_000,
  plans: 60_000,
  settings: false,
};

export const OperatorContext = createContext<OperatorAccess | null>(null);

/** For components within `OperatorDesk`. */
function useAccess(): OperatorAccess {
  return useContext(OperatorContext)!;
}

export function useRead<Name extends keyof Reads>(name: Name) {
  const { read } = useAccess();
  return useQuery({
    queryKey: [name],
    queryFn: ({ signal }) => read<Reads[Name]>(name, {}, signal),
    refetchInterval: PAUSES[name],
  });
}

/** Users page by page, newest first. @param q a part of their e-mail */
export function useUsers(q: string) {
  const { read } = useAccess();
  return useInfiniteQuery({
    queryKey: ['users', q],
    queryFn: ({ pageParam, signal }) =>
      read<UsersResponse>('users', { limit: 100, ...(q && { q }), ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
  });
}
