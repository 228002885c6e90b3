import { Webhook } from 'standardwebhooks';
import type { BatchEvent, EventDto, GenerationEvent } from './generated/index.ts';

/** The body that the service POSTs to the `webhook` of a generation or a batch when it ends; its `type` says which. */
export type WebhookEvent = GenerationEvent | BatchEvent;

/** Verifies an event that an endpoint got, as `verifyWebhook`, with the secret of the endpoint. */
export function verifyEvent(...call: Parameters<typeof verifyWebhook>): EventDto {
  return verifyWebhook(...call) as unknown as EventDto;
}

/**
 * Verifies that the service sent a webhook within the last minutes. A webhook may arrive twice, with the same `webhook-id`.
 *
 * @param rawBody the body before any parser
 * @param headers the headers of Fetch or of Node
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
