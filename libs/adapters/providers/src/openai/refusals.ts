import type { VendorResponse } from '#adapters/outgoing-http';
import type { FailureCode } from '#generation';
import { asObject, parsedJson } from '../remote/json.ts';

const MODERATION = /moderation|content_?(policy|filter)|safety/i;
const BILLING = ['insufficient_quota', 'billing_hard_limit_reached'];

/**
 * Classifies a refusal by its `error`: moderation has the status 400, an empty account 429. A `server_error` of the API
 * has ended the call; a 500 of a proxy says nothing about it.
 */
export function refusalCodeOf({ status, body }: VendorResponse): FailureCode | null {
  const { code, type } = errorIn(body);
  if (MODERATION.test(code)) return 'content_rejected';
  if (BILLING.includes(code)) return 'provider_misconfigured';
  return status === 500 && type === 'server_error' ? 'provider_unavailable' : null;
}

/** Errors of the API have a type. */
export function isOwnResponse({ body }: VendorResponse): boolean {
  return errorIn(body).type !== '';
}

function errorIn(body: string): { readonly code: string; readonly type: string } {
  const { code, type } = asObject(asObject(parsedJson(body))['error']);
  return { code: textOf(code), type: textOf(type) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
