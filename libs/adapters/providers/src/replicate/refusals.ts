import type { VendorResponse } from '#adapters/outgoing-http';
import type { Refusal } from '../remote/failures.ts';
import { asObject, parsedJson } from '../remote/json.ts';

/**
 * Classifies a refusal by its problem details, which a 404 of a proxy does not have. A version that does not exist is a
 * 422, like an invalid input.
 */
export function refusalOf({ status, body }: VendorResponse): Refusal | null {
  const { title, detail } = asObject(parsedJson(body));
  const isMissing = status === 404 && detail === 'The requested resource could not be found.';
  const isNoVersion = status === 422 && title === 'Invalid version or not permitted';
  return isMissing || isNoVersion ? 'unknown_model' : null;
}
