import type { VendorResponse } from '#adapters/outgoing-http';
import type { Refusal } from '../remote/failures.ts';
import { asObject, parsedJson } from '../remote/json.ts';

const MODERATION = /moderation|content_?(policy|filter)|safety/i;
/** Codes and types of errors: docs "Error codes" and "Rate limits". */
const RATE_LIMITED = ['rate_limit_exceeded', 'slow_down', 'rate_limit_error', 'requests', 'tokens'];
const OVERLOADED = ['server_is_overloaded', 'slow_down', 'service_unavailable_error'];
const BILLING = ['insufficient_quota', 'billing_hard_limit_reached'];

/**
 * Classifies a refusal by its `error`: moderation has the status 400, an empty account 429. A `server_error` of the API
 * has ended the call; a 500 of a proxy says nothing about it.
 */
export function refusalCodeOf({ status, body }: VendorResponse): Refusal | null {
  const { code, type } = errorIn(body);
  // A 403 with this code is about the project of the key.
  if (code === 'model_not_found' && status === 404) return 'unknown_model';
  if (MODERATION.test(code)) return 'content_rejected';
  if (BILLING.includes(code)) return 'provider_misconfigured';
  return status === 500 && type === 'server_error' ? 'provider_unavailable' : null;
}

/**
 * A call can't be found again, so a refusal for now is trusted only if it is one that OpenAI documents as a limit before
 * the work. A gateway, or a server that has made and billed the pictures, may respond with the same status.
 */
export function isNotAccepted({ status, body, headers }: VendorResponse): boolean {
  const { code, type } = errorIn(body);
  const named = status === 503 ? OVERLOADED : RATE_LIMITED;
  return (named.includes(code) || named.includes(type)) && headers.get('x-should-retry') !== 'false';
}

function errorIn(body: string): { readonly code: string; readonly type: string } {
  const { code, type } = asObject(asObject(parsedJson(body))['error']);
  return { code: textOf(code), type: textOf(type) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
