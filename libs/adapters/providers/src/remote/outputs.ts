import { writeFile } from 'node:fs/promises';
import type { VendorFetch } from '#adapters/outgoing-http';
import type { ModelKind } from '#catalogue';
import { maxOutputBytes, type VendorOutput } from '#generation';
import { SourceFailure } from '#sources';
import { providerFailure } from './failures.ts';
import type { RemoteLimits } from './vendor.ts';

const DATA_URL = /^data:[^,]*?(;base64)?,/i;

export interface OutputOptions {
  readonly kind: ModelKind;
  readonly limits: Pick<RemoteLimits, 'maxOutputBytes'>;
  readonly signal: AbortSignal;
  /** Sent to the vendor's own host only. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Downloads an output unchanged into the file `target`.
 *
 * @throws ProviderFailure `unusable_output` when it is gone, too large or at an address that is not allowed;
 * `provider_unavailable` (retryable); the signal's reason
 */
export async function fetchOutput(
  http: VendorFetch,
  { url }: VendorOutput,
  target: string,
  { kind, limits, ...options }: OutputOptions,
): Promise<void> {
  const maxBytes = maxOutputBytes(kind, limits.maxOutputBytes);
  const data = DATA_URL.exec(url);
  if (data) return writeFile(target, bytesOf(url.slice(data[0].length), data[1] !== undefined, maxBytes));
  try {
    await http.download(url, target, { ...options, maxBytes });
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const { retryable } = error;
    throw providerFailure(retryable ? 'provider_unavailable' : 'unusable_output', { cause: error, retryable });
  }
}

function bytesOf(data: string, isBase64: boolean, maxBytes: number): Buffer {
  const bytes = isBase64 ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data));
  if (bytes.length > maxBytes) throw providerFailure('unusable_output');
  return bytes;
}
