import { Webhook } from 'standardwebhooks';
import type { ResultsResponse } from './generated/index.ts';

/** What the service POSTs to the `webhook` of a generation when it ends. */
export interface WebhookEvent {
  readonly type: 'generation.succeeded' | 'generation.failed' | 'generation.canceled';
  readonly timestamp: string;
  readonly data: ResultsResponse & { readonly generation_id: number };
}

/**
 * Checks that the service sent a webhook, a few minutes ago at most. It may come more than once: `webhook-id` tells.
 *
 * @param rawBody the body as it came, before any parser
 * @param headers those of Fetch, or of Node
 * @param secret `whsec_…`, from `GET /v2/webhooks/secret`
 * @throws WebhookVerificationError
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): WebhookEvent {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const given = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const single = given.map(([name, value]) => [name.toLowerCase(), String(value)]);
  return new Webhook(secret).verify(text, Object.fromEntries(single) as Record<string, string>) as WebhookEvent;
}

export { WebhookVerificationError } from 'standardwebhooks';
