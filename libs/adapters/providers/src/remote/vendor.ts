import { VendorFetch } from '#adapters/outgoing-http';
import type { ProviderSettings } from '#catalogue';
import type { RemoteProvider } from '#generation';

export interface RemoteLimits {
  /** `host:port` pairs that are allowed although they are private or use another port. */
  readonly allowedHosts: readonly string[];
  /** Maximum size of one output. */
  readonly maxOutputBytes: number;
  /** Time limit of a call with a short response (default 15). */
  readonly callSeconds?: number;
}

/** How long vendors keep outputs, where they do not say. */
export const KEEPS_OUTPUTS_SECONDS = 3_600;

/** Creates a provider. Each vendor's folder exports one. */
export type RemoteFactory = (settings: ProviderSettings, limits: RemoteLimits) => RemoteProvider;

/** An HTTP client for one vendor. */
export function vendorFetch(
  baseUrl: string,
  { allowedHosts, callSeconds = 15 }: RemoteLimits,
  { maxBytes = 4 * 1024 * 1024 } = {},
): VendorFetch {
  return new VendorFetch({ baseUrl, allowedHosts, timeoutSeconds: callSeconds, maxBytes });
}
