import type { Client } from './generated/client/index.ts';
import { retryingFetch, type RetryOptions } from './retrying-fetch.ts';
import { errorOfResponse } from './x12-error.ts';

export interface X12Options extends RetryOptions {
  /** The address of the service: `https://x12.example.com`. Default in browsers: the origin of the page. */
  readonly baseUrl?: string;
  /** An API token. Without one, browsers send the cookie of their session. */
  readonly token?: string;
  /** Keeps the cookies of the service, outside of browsers: for a guest of a share link, or a session. Default: false. */
  readonly cookies?: boolean;
  /** When browsers send the cookie. Default: `same-origin`. */
  readonly credentials?: 'same-origin' | 'include' | 'omit';
}

/** Configures the generated functions to call the service with retries, and to throw X12Error. */
export function configure(client: Client, options: X12Options): void {
  const { baseUrl = '', token, credentials = 'same-origin' } = options;
  client.setConfig({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined),
    credentials,
    fetch: retryingFetch(options),
    throwOnError: true,
  });
  client.interceptors.error.clear();
  client.interceptors.error.use((error, response) => (response ? errorOfResponse(response, error) : error));
}
