import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { VendorBehaviour } from './fake-vendor.ts';

export interface FakeVendorOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** The only key that it accepts; `null` (default) for any. */
  readonly key?: string | null;
  /** How long it is busy with a submission. */
  readonly workMs?: number;
  /** How far its clock is ahead; the fakes of Replicate and fal only. */
  readonly clockAheadMs?: number;
  /** The picture that each submission makes, instead of a small one of its own; Replicate's fake only. */
  readonly picture?: Buffer;
}

export interface VendorCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The whole body. */
  body(): Promise<Buffer>;
}

/** A response: an object is sent as JSON. `drop` closes the connection, `hang` never responds. */
export type VendorReply =
  { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown } | 'drop' | 'hang';

export interface VendorServer {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server on loopback. */
export async function startVendorServer(
  reply: (call: VendorCall) => Promise<VendorReply>,
  port = 0,
  clockAheadMs = 0,
): Promise<VendorServer> {
  const server = createServer((request, response) => {
    void reply(callOf(request))
      .catch((error: unknown) => ({ status: 500, headers: {}, body: { error: String(error) } }))
      .then((answer) => {
        if (answer === 'drop') return request.socket.destroy();
        if (answer === 'hang') return undefined;
        const { status, headers = {}, body = '' } = answer;
        const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
        const date = new Date(Date.now() + clockAheadMs).toUTCString();
        const type = isJson ? { 'content-type': 'application/json' } : {};
        return response
          .writeHead(status, { date, ...type, ...headers })
          .end(isJson ? JSON.stringify(body) : (body as string | Buffer));
      });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function callOf(request: IncomingMessage): VendorCall {
  let read: Promise<Buffer> | undefined;
  return {
    method: request.method!,
    url: new URL(request.url!, 'http://fake'),
    headers: request.headers,
    body: () => (read ??= buffer(request)),
  };
}

/** What happens to the next submissions. */
export class VendorPlan {
  #next: VendorBehaviour[] = [];
  #otherwise: VendorBehaviour = 'works';
  #spared: string | null = null;

  plan(next: readonly VendorBehaviour[], otherwise: VendorBehaviour = 'works'): void {
    this.#next = [...next];
    this.#otherwise = otherwise;
  }

  spare(text: string): void {
    this.#spared = text;
  }

  /** Reads the submission only where a text is spared: some close the connection before. */
  async take(submission: VendorCall): Promise<VendorBehaviour> {
    if (this.#spared !== null && (await submission.body()).includes(this.#spared)) return 'works';
    return this.#next.shift() ?? this.#otherwise;
  }
}
