import { VendorFetch } from '#adapters/outgoing-http';
import type { ProviderSettings, RemoteProvider } from '#generation';

export interface RemoteLimits {
  /** `host:port` pairs that may be reached although they are private or on another port. */
  readonly allowedHosts: readonly string[];
  /** Of one output. */
  readonly maxOutputBytes: number;
}

/** Makes the provider of one type: what a vendor's folder exports. */
export type RemoteFactory = (settings: ProviderSettings, limits: RemoteLimits) => RemoteProvider;

/** HTTP to a vendor for calls with short responses. */
export function vendorFetch(
  baseUrl: string,
  { allowedHosts }: RemoteLimits,
  { timeoutSeconds = 15, maxBytes = 4 * 1024 * 1024 } = {},
): VendorFetch {
  return new VendorFetch({ baseUrl, allowedHosts, timeoutSeconds, maxBytes });
}
