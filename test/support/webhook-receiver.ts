import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** A call as it arrived. */
export interface ReceivedCall {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status, or what else is done with a call. */
type Reply = number | ((response: ServerResponse) => void);

/** A receiver of webhooks on loopback. */
export interface WebhookReceiver {
  readonly url: string;
  /** `host:port` */
  readonly host: string;
  readonly calls: ReceivedCall[];
  /** Responses to the next calls; then 204. */
  reply(...next: readonly Reply[]): void;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = [];
  const replies: Reply[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push({ path: request.url!, method: request.method!, headers: request.headers, body });
      const reply = replies.shift() ?? 204;
      if (typeof reply === 'number') response.writeHead(reply).end();
      else reply(response);
    });
  });
  const host = await listen(server);
  return {
    url: `http://${host}`,
    host,
    calls,
    reply: (...next) => void replies.splice(0, Infinity, ...next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The signatures that a call should have, computed as Standard Webhooks describes. */
export function signaturesOf({ headers, body }: ReceivedCall, secrets: readonly string[]): string {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = (secret: string) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  };
  return secrets.map(signature).join(' ');
}
