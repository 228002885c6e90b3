import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type {
  AddedEntriesResponse,
  ChecksResponse,
  DirectoryUserDto,
  ModelUsageResponse,
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
  readonly catalogue: AddedEntriesResponse;
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
  catalogue: 60_000,
  storage: 60_000,
  plans: 60_000,
  settings: false,
};

export const OperatorContext = createContext<OperatorAccess | null>(null);

/** For components within `OperatorDesk`. */
export function useAccess(): OperatorAccess {
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

/** The added entries, with the health of all. It is read as soon as the entries are there: vendors may be slow. */
export function useCatalogue() {
  const added = useRead('catalogue');
  const checked = useRead('providers');
  const refetch = () => Promise.all([added.refetch(), checked.refetch()]);
  return { added: { ...added, refetch, isFetching: added.isFetching || checked.isFetching }, checked };
}

/** The use of the models in a month of UTC. */
export function useModelUsage(month: string) {
  const { read } = useAccess();
  return useQuery({
    queryKey: ['usage', month],
    queryFn: ({ signal }) => read<ModelUsageResponse>('models/usage', { from: month, to: month }, signal),
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

/** Makes a user an operator, or ends that. It rejects with the service's refusal. */
export function useOperatorChange() {
  const { send, userId, onEnd } = useAccess();
  const queries = useQueryClient();
  return async (user: DirectoryUserDto, isOperator: boolean): Promise<void> => {
    try {
      await send('PUT', `users/${user.id}`, { body: { is_operator: isOperator } });
    } finally {
      // Also after a failure: another operator may have changed the same.
      await queries.invalidateQueries({ queryKey: ['users'] });
    }
    if (user.id === userId && !isOperator) onEnd();
  };
}
