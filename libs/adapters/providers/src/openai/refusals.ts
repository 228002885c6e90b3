import type { VendorResponse } from '#adapters/outgoing-http';
import type { FailureCode } from '#generation';

const MODERATION = /moderation|content_?(policy|filter)|safety/i;
const BILLING = ['insufficient_quota', 'billing_hard_limit_reached'];

/** What `error.code` says beyond the status: moderation has status 400, an empty account 429. */
export function refusalCodeOf({ body }: VendorResponse): FailureCode | null {
  const code = codeIn(body);
  if (MODERATION.test(code)) return 'content_rejected';
  return BILLING.includes(code) ? 'provider_misconfigured' : null;
}

function codeIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown } | null };
    return typeof error?.code === 'string' ? error.code : '';
  } catch {
    return '';
  }
}
