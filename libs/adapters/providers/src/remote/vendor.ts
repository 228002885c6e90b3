import { VendorFetch } from '#adapters/outgoing-http';
import type { ProviderSettings, RemoteProvider } from '#generation';

export interface RemoteLimits {
  /** `host:port` pairs that may be reached although they are private or on another port. */
  readonly allowedHosts: readonly string[];
  /** Of one output. */
  readonly maxOutputBytes: number;
  /** For a call with a short response (default 15). */
  readonly callSeconds?: number;
}

/** Makes the provider of one type: what a vendor's folder exports. */
export type RemoteFactory = (settings: ProviderSettings, limits: RemoteLimits) => RemoteProvider;

/** HTTP to a vendor whose responses are short. */
export function vendorFetch(
  baseUrl: string,
  { allowedHosts, callSeconds = 15 }: RemoteLimits,
  { maxBytes = 4 * 1024 * 1024 } = {},
): VendorFetch {
  return new VendorFetch({ baseUrl, allowedHosts, timeoutSeconds: callSeconds, maxBytes });
}
