import type { VendorResponse } from '#adapters/outgoing-http';

/**
 * The webhook of a submission when the service is not public. Replicate's list shows it, and a search recognises the
 * prediction by its request key. The name never resolves (RFC 6761).
 */
export function placeholderWebhook(requestKey: string): string {
  return `https://nowhere.invalid/?key=${requestKey}`;
}

/** Reports whether Replicate has refused a prediction because of its webhook. */
export function isWebhookRefused({ status, body }: VendorResponse): boolean {
  return (status === 400 || status === 422) && (/"field":\s*"webhook"/.test(body) || /- webhook\b/.test(body));
}
