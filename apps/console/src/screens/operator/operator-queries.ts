import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type {
  AddedEntriesResponse,
  ChecksResponse,
  DirectoryUserDto,
  ListedModelsResponse,
  MachineTokenDto,
  ModelUsageResponse,
  OperatorWorkspaceDto,
  PlansResponse,
  ProvidersResponse,
  QueuesResponse,
  SettingsResponse,
  StoredResponse,
} from './generated/index.ts';
import type { OperatorAccess } from './operator-access.ts';

interface Reads {
  readonly doctor: ChecksResponse;
  readonly providers: ProvidersResponse;
  readonly catalogue: AddedEntriesResponse;
  readonly models: ListedModelsResponse;
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
  models: 60_000,
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

interface Lists {
  readonly users: DirectoryUserDto;
  readonly workspaces: OperatorWorkspaceDto;
  readonly tokens: MachineTokenDto;
}
type Page<Name extends keyof Lists> = Readonly<Record<Name, Lists[Name][]>> & { readonly next_cursor: string | null };

const TYPING_MS = 250;

/** Records page by page, newest first. @param filter of these only those with the text in it */
export function useList<Name extends keyof Lists>(name: Name, filter = '', text = '') {
  const { read } = useAccess();
  const [wanted] = useDebouncedValue(text.trim(), TYPING_MS);
  const query = useInfiniteQuery({
    queryKey: [name, wanted],
    queryFn: ({ pageParam, signal }) =>
      read<Page<Name>>(
        name,
        { limit: 100, ...(wanted && { [filter]: wanted }), ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
  });
  return { query, rows: query.data?.pages.flatMap((page) => page[name]) ?? [] };
}

/** Sends a change of a workspace, user or token. It rejects with the service's refusal. */
export function useChange() {
  const { send } = useAccess();
  const queries = useQueryClient();
  return async <T>(method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> => {
    try {
      return await send<T>(method, path, { body });
    } finally {
      // Also after a failure: another operator may have changed the same.
      const isStale = ['users', 'workspaces', 'tokens', 'plans'];
      await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => isStale.includes(String(name)) });
    }
  };
}

/** Makes a user an operator, or ends that. It rejects with the service's refusal. */
export function useOperatorChange() {
  const { userId, onEnd } = useAccess();
  const change = useChange();
  return async (user: DirectoryUserDto, isOperator: boolean): Promise<void> => {
    await change('PUT', `users/${user.id}`, { is_operator: isOperator });
    if (user.id === userId && !isOperator) onEnd();
  };
}
