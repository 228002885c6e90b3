import { VendorCallFailed } from '#adapters/outgoing-http';
import { parseVendorJson, type ProviderSettings, type VendorSchemas } from '#catalogue';
import { DomainError, invalidField } from '#kernel';
import { vendorFetch, type RemoteLimits } from './remote/vendor.ts';

/** Maximum size of a description; a ComfyUI with many nodes has several MB. */
const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_SECONDS = 20;
const REPLICATE = 'https://api.replicate.com/v1';
/** fal's documents are public and stand beside its site, not its queue. */
const FAL = 'https://fal.ai';
/** With another base URL, the host becomes the first segment of the path, as for all calls to fal. */
const FAL_PLATFORM = 'https://api.fal.ai/v1';

/** The descriptions of models by their vendors' APIs. */
export class HttpVendorSchemas implements VendorSchemas {
  constructor(private readonly limits: RemoteLimits) {}

  async read({ type, baseUrl, key }: ProviderSettings, target: string, signal: AbortSignal): Promise<unknown> {
    const [base, path] = placeOf(type, baseUrl, target);
    const headers: Record<string, string> = key && type !== 'fal' ? { authorization: `Bearer ${key}` } : {};
    try {
      return await this.#get(base, path, headers, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof VendorCallFailed)) throw error;
      const status = error.response?.status;
      if (status === 404) throw invalidField('target', 'is not known to the vendor');
      const why = status === 401 || status === 403 ? 'refuses the key' : 'cannot be reached';
      throw new DomainError('unavailable', `the vendor ${why}`, { cause: error });
    }
  }

  async readPrice({ type, baseUrl, key }: ProviderSettings, target: string, signal: AbortSignal): Promise<unknown> {
    if (type !== 'fal' || key === null) return null;
    const path = `/models/pricing?endpoint_id=${encodeURIComponent(target)}`;
    const base =
      baseUrl === null ? FAL_PLATFORM : `${baseUrl.replace(/\/$/, '')}/${FAL_PLATFORM.slice('https://'.length)}`;
    try {
      return await this.#get(base, path, { authorization: `Key ${key}` }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof VendorCallFailed || error instanceof DomainError) return null;
      throw error;
    }
  }

  async #get(base: string, path: string, headers: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    const http = vendorFetch(base, this.limits, { maxBytes: MAX_BYTES });
    try {
      const response = await http.request(`${base}${path}`, { headers }, { signal, timeoutSeconds: TIMEOUT_SECONDS });
      return parseVendorJson(await response.text());
    } finally {
      await http.close();
    }
  }
}

/** The base and the path with the query, of which the target is a part. */
function placeOf(type: string, baseUrl: string | null, target: string): readonly [base: string, path: string] {
  const segments = target.split('/');
  // They would lead out of the path of models.
  if (segments.some((segment) => segment === '.' || segment === '..')) throw invalidField('target', 'is no model');
  const name = segments.map(encodeURIComponent).join('/');
  if (type === 'replicate') return [baseUrl ?? REPLICATE, `/models/${name}`];
  if (type === 'fal') {
    return [baseUrl ?? FAL, `/api/openapi/queue/openapi.json?endpoint_id=${encodeURIComponent(target)}`];
  }
  return [baseUrl ?? '', '/object_info'];
}
