import { afterEach } from '@jest/globals';
import type { Network } from '../guarded-connector.ts';
import { VendorFetch, type VendorFetchOptions } from '../vendor-fetch.ts';
import type { HttpSource } from './http-source.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

/** Closes it after the test. */
export function closing<T extends { close(): Promise<void> }>(each: T): T {
  opened.push(each);
  return each;
}

/** The client of a vendor, which is closed after the test. */
export function fetchFor(
  source: Pick<HttpSource, 'url'>,
  options: Partial<VendorFetchOptions> = {},
  network?: Network,
): VendorFetch {
  const limits = { allowedHosts: [], timeoutSeconds: 5, maxBytes: 10_000 };
  return closing(new VendorFetch({ baseUrl: source.url(), ...limits, ...options }, network));
}
