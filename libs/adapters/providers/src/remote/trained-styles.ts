import type { JsonObject, JsonValue, Model, StyleResult } from '#catalogue';
import type { VendorHandle, VendorOutput } from '#generation';

/** A longer reference can't be read back. */
const MAX_REFERENCE_BYTES = 60 * 1024;

/** The part of the handle of a training by which a check finds what was trained. */
export function resultPartOf({ result }: Pick<Model, 'result'>): JsonObject {
  return result ? { result } : {};
}

/** `null` for the handle of any other job. */
export function resultOf({ result }: VendorHandle): StyleResult | null {
  return (result ?? null) as StyleResult | null;
}

/** The trained style as the only output: the URL of the weights, or JSON with the vendor's reference. */
export function trainedOutputs(result: StyleResult, body: unknown): readonly VendorOutput[] {
  const url = 'weights' in result ? weightsAt(body, result.weights) : referenceAt(body, result.reference);
  return url === null ? [] : [{ url, label: null, score: null }];
}

function weightsAt(body: unknown, path: string): string | null {
  const value = valueAt(body, path);
  return typeof value === 'string' && /^https?:/i.test(value) ? value : null;
}

function referenceAt(body: unknown, path: string): string | null {
  const reference = valueAt(body, path) ?? null;
  if (reference === null || reference === '') return null;
  const json = Buffer.from(JSON.stringify({ reference: reference as JsonValue }));
  return json.length <= MAX_REFERENCE_BYTES ? `data:application/json;base64,${json.toString('base64')}` : null;
}

/** The value at a path with dots; `undefined` when there is none. */
function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined,
      body,
    );
}
