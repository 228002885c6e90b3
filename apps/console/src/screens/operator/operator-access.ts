import { QueryCache, type QueryClient } from '@tanstack/react-query';
import { createQueryClient, X12, X12Error } from '../../api/index.ts';

/** The operator's reads, and their cache, separate from the cache of the signed-in user. */
export interface OperatorAccess {
  readonly queries: QueryClient;
  readonly read: <T>(path: string, query?: Record<string, unknown>, signal?: AbortSignal) => Promise<T>;
}

/**
 * @param token ADMIN_TOKEN; `null` for an operator's own session
 * @param onRefused called when the service no longer accepts the token or the session
 */
export function openAccess(token: string | null, onRefused: () => void): OperatorAccess {
  const onError = (error: unknown) => {
    if (error instanceof X12Error && error.code === 'unauthenticated') onRefused();
  };
  return { queries: createQueryClient({ queryCache: new QueryCache({ onError }) }), read: readerWith(token) };
}

/** @throws X12Error `unauthenticated`, `rate_limited`; `not_found` if the service has no ADMIN_TOKEN */
export function checkToken(token: string): Promise<unknown> {
  return readerWith(token)('plans');
}

function readerWith(token: string | null): OperatorAccess['read'] {
  // With a token, without the user's cookie. Without retries, so that a `rate_limited` is shown at once.
  const { client } = new X12({ credentials: token === null ? 'same-origin' : 'omit', maxRetries: 0 });
  return async <T>(path: string, query: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    const { data } = await client.request({ method: 'GET', url: `/admin/api/${path}`, headers, query, signal });
    return data as T;
  };
}

/** The state in the address: the open tab, the search, and whether only settings with a value are listed. */
export const ABSENT = { part: 'health', q: '', set: false };

export interface PartProps {
  readonly state: typeof ABSENT;
  readonly onChange: (part: Partial<typeof ABSENT>) => void;
}
