import type { VendorResponse } from '#adapters/outgoing-http';

/**
 * The webhook of a submission where none can arrive: Replicate's list shows it, so that the request key in it tells
 * whose a prediction is. The name never resolves (RFC 6761): nothing is sent to anybody.
 */
export function webhookToNowhere(requestKey: string): string {
  return `https://nowhere.invalid/?key=${requestKey}`;
}

/** Whether a prediction was refused for its webhook. */
export function isWebhookRefused({ status, body }: VendorResponse): boolean {
  return (status === 400 || status === 422) && (/"field":\s*"webhook"/.test(body) || /- webhook\b/.test(body));
}
