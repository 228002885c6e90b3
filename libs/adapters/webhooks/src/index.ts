import { Webhook } from 'standardwebhooks';
import { SafeHttp, type SafeHttpOptions } from '#adapters/outgoing-http';
import type { WebhookCall, WebhookCalls } from '#webhooks';

/** Calls of a run share connections. Shorter than the time after which most servers close idle ones. */
const KEEP_SECONDS = 1;

/** Calls webhooks by the specification of Standard Webhooks. */
export class SignedWebhooks implements WebhookCalls {
  readonly #http: SafeHttp;

  /** @param options.timeoutSeconds the upper limit for the timeout of a call */
  constructor(options: Pick<SafeHttpOptions, 'allowedHosts' | 'ports' | 'timeoutSeconds'>) {
    this.#http = new SafeHttp({ ...options, keepSeconds: KEEP_SECONDS });
  }

  post({ url, messageId, at, body, secrets, timeoutSeconds }: WebhookCall, signal: AbortSignal): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, at, body)).join(' '),
    };
    const request = { method: 'POST', headers, body, maxBytes: 0, timeoutSeconds, signal } as const;
    return this.#http.exchange(url, request, async ({ status }) => status);
  }
}
