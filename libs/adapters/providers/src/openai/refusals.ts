import type { VendorResponse } from '#adapters/outgoing-http';
import type { FailureCode } from '#generation';

const MODERATION = /moderation|content_?(policy|filter)|safety/i;
const BILLING = ['insufficient_quota', 'billing_hard_limit_reached'];

/**
 * What `error` says beyond the status: moderation has status 400, an empty account 429. A failure that the API itself
 * reports has ended the call; a 500 of a proxy says nothing about it.
 */
export function refusalCodeOf({ status, body }: VendorResponse): FailureCode | null {
  const { code, type } = errorIn(body);
  if (MODERATION.test(code)) return 'content_rejected';
  if (BILLING.includes(code)) return 'provider_misconfigured';
  return status === 500 && type === 'server_error' ? 'provider_unavailable' : null;
}

/** The API's own errors have a type. */
export function isOwnResponse({ body }: VendorResponse): boolean {
  return errorIn(body).type !== '';
}

function errorIn(body: string): { readonly code: string; readonly type: string } {
  let error: { code?: unknown; type?: unknown } | null | undefined;
  try {
    ({ error } = JSON.parse(body) as { error?: typeof error });
  } catch {
    error = null;
  }
  return { code: textOf(error?.code), type: textOf(error?.type) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
