import { QueryCache, type QueryClient } from '@tanstack/react-query';
import { createQueryClient, X12, X12Error } from '../../api/index.ts';

/** The operator's reads and changes, and their cache, separate from the cache of the signed-in user. */
export interface OperatorAccess {
  readonly queries: QueryClient;
  readonly read: <T>(path: string, query?: Record<string, unknown>, signal?: AbortSignal) => Promise<T>;
  readonly send: <T>(method: 'PUT' | 'POST' | 'DELETE', path: string, content?: Content) => Promise<T>;
  /** Reads bytes. @param url below `/admin/api/` */
  readonly download: (url: string, accept?: string) => Promise<Blob>;
  /** The signed-in user who acts as operator; null with ADMIN_TOKEN. */
  readonly userId: number | null;
  /** Called when the access has ended. */
  readonly onEnd: () => void;
  /** Called when the models that callers may use have changed. */
  readonly onModels: () => void;
}

interface Content {
  readonly body?: object;
  readonly query?: Record<string, unknown>;
  readonly signal?: AbortSignal;
}

/** @param onEnd called when the service no longer accepts the token or the session */
export function openAccess(
  by: { readonly token: string } | { readonly userId: number },
  { onEnd, onModels }: Pick<OperatorAccess, 'onEnd' | 'onModels'>,
): OperatorAccess {
  const onError = (error: unknown) => {
    if (error instanceof X12Error && error.code === 'unauthenticated') onEnd();
  };
  const token = 'token' in by ? by.token : null;
  return {
    queries: createQueryClient({ queryCache: new QueryCache({ onError }) }),
    ...callsWith(token),
    userId: 'userId' in by ? by.userId : null,
    onEnd,
    onModels,
  };
}

/** @throws X12Error `unauthenticated`, `rate_limited`; `not_found` if the service has no ADMIN_TOKEN */
export function checkToken(token: string): Promise<unknown> {
  return callsWith(token).read('plans');
}

/** @param token ADMIN_TOKEN; `null` for an operator's own session */
function callsWith(token: string | null): Pick<OperatorAccess, 'read' | 'send' | 'download'> {
  // The client sends a token, without the user's cookie. Without retries, so that a `rate_limited` is shown at once.
  const { client } = new X12({ credentials: token === null ? 'same-origin' : 'omit', maxRetries: 0 });
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  return {
    read: async <T>(path: string, query: Record<string, unknown> = {}, signal?: AbortSignal) => {
      const { data } = await client.request({ method: 'GET', url: `/admin/api/${path}`, headers, query, signal });
      return data as T;
    },
    download: async (url, accept = '*/*') => {
      const request = { method: 'GET', url, headers: { ...headers, Accept: accept }, parseAs: 'blob' } as const;
      const { data } = await client.request(request);
      return data as Blob;
    },
    send: async <T>(method: 'PUT' | 'POST' | 'DELETE', path: string, content: Content = {}) => {
      const { data } = await client.request({ method, url: `/admin/api/${path}`, headers, ...content });
      return data as T;
    },
  };
}

/**
 * The state in the address: the open tab, the search, whether only settings with a value are listed, the model that is
 * edited, and whether one is connected.
 */
export const ABSENT = { part: 'health', q: '', set: false, model: '', connect: false };

export interface PartProps {
  readonly state: typeof ABSENT;
  readonly onChange: (part: Partial<typeof ABSENT>, options?: { readonly push?: boolean }) => void;
}
