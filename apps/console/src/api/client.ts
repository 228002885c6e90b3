import { client, X12, X12Error } from '#client';

// The service that this page comes from. The session is a cookie that no script can read.
export const x12 = new X12({ client });

/** Calls the listener when any call finds that the service no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  client.interceptors.error.use((error) => {
    if (error instanceof X12Error && error.code === 'unauthenticated') listener();
    return error;
  });
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function call<T>(method: Method, url: string, options: { query?: Query; body?: unknown; signal?: AbortSignal }) {
  const headers = options.body === undefined ? undefined : { 'Content-Type': 'application/json' };
  const { data } = await client.request({ method, url, headers, ...options });
  return data as T;
}

/** For what is not in the OpenAPI document, such as the operator's reads; for the rest take the generated functions. */
export const api = {
  get: <T>(url: string, query: Query = {}, signal?: AbortSignal) => call<T>('GET', url, { query, signal }),
  post: <T>(url: string, body: unknown = {}) => call<T>('POST', url, { body }),
  put: <T>(url: string, body: unknown = {}) => call<T>('PUT', url, { body }),
  delete: <T>(url: string) => call<T>('DELETE', url, {}),
};
