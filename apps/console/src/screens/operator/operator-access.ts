import { QueryCache, type QueryClient } from '@tanstack/react-query';
import { createQueryClient, X12, X12Error } from '../../api/index.ts';

/** How an operator reads, and the cache of what was read: not that of the user who is signed in. */
export interface OperatorAccess {
  readonly queries: QueryClient;
  readonly read: <T>(path: string, query?: Record<string, unknown>, signal?: AbortSignal) => Promise<T>;
}

/** @param onRefused called when the service does not take the token any more */
export function openAccess(token: string, onRefused: () => void): OperatorAccess {
  const onError = (error: unknown) => {
    if (error instanceof X12Error && error.code === 'unauthenticated') onRefused();
  };
  return { queries: createQueryClient({ queryCache: new QueryCache({ onError }) }), read: readerWith(token) };
}

/** @throws X12Error `unauthenticated`, `rate_limited`; `not_found` when the service has no token of operators */
export function checkToken(token: string): Promise<unknown> {
  return readerWith(token)('plans');
}

function readerWith(token: string): OperatorAccess['read'] {
  // No cookie goes along, and who guesses wrong is told how long to wait.
  const { client } = new X12({ credentials: 'omit', maxRetries: 0 });
  return async <T>(path: string, query: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const headers = { Authorization: `Bearer ${token}` };
    const { data } = await client.request({ method: 'GET', url: `/admin/api/${path}`, headers, query, signal });
    return data as T;
  };
}

/** What is searched for, and whether only settings that are set are listed. */
export const ABSENT = { part: 'health', q: '', set: false };

export interface PartProps {
  readonly state: typeof ABSENT;
  readonly onChange: (part: Partial<typeof ABSENT>) => void;
}
