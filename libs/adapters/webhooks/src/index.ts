import { Webhook } from 'standardwebhooks';
import { SafeHttp, type SafeHttpOptions } from '#adapters/outgoing-http';
import type { WebhookCall, WebhookCalls } from '#webhooks';

const TIMEOUT_SECONDS = 15;

/** Calls webhooks as Standard Webhooks describes. */
export class SignedWebhooks implements WebhookCalls {
  readonly #http: SafeHttp;

  constructor(options: Pick<SafeHttpOptions, 'allowedHosts' | 'ports'>, timeoutSeconds = TIMEOUT_SECONDS) {
    this.#http = new SafeHttp({ ...options, timeoutSeconds });
  }

  post({ url, messageId, at, body, secrets }: WebhookCall, signal: AbortSignal): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, at, body)).join(' '),
    };
    const request = { method: 'POST', headers, body, maxBytes: 0, signal } as const;
    return this.#http.exchange(url, request, async ({ status }) => status);
  }
}
