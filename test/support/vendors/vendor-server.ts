import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export interface VendorCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The whole body. */
  body(): Promise<Buffer>;
}

/** A response: an object is sent as JSON. `drop` closes the connection, `hang` never responds. */
export type VendorReply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'drop'
  | 'hang';

/** A WebSocket of a client. */
export interface FakeSocket {
  send(text: string): void;
  isOpen(): boolean;
}

export interface VendorServer {
  readonly url: string;
  close(): Promise<void>;
}

/** RFC 6455, section 1.3. */
const WEB_SOCKET_ID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A text frame, at most 64 KB. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length]), bytes]);
}

/** An HTTP server on loopback. */
export async function startVendorServer(
  reply: (call: VendorCall) => Promise<VendorReply>,
  port = 0,
  clockAheadMs = 0,
  onSocket?: (call: VendorCall, socket: FakeSocket) => void,
): Promise<VendorServer> {
  const server = createServer((request, response) => {
    void reply(callOf(request))
      .catch((error: unknown) => ({ status: 500, headers: {}, body: { error: String(error) } }))
      .then((reply) => {
        if (reply === 'drop') return request.socket.destroy();
        if (reply === 'hang') return undefined;
        const { status, headers = {}, body = '' } = reply;
        const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
        const date = new Date(Date.now() + clockAheadMs).toUTCString();
        const type = isJson ? { 'content-type': 'application/json' } : {};
        return response
          .writeHead(status, { date, ...type, ...headers })
          .end(isJson ? JSON.stringify(body) : (body as string | Buffer));
      });
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket) => {
    if (!onSocket) return socket.destroy();
    upgraded.add(socket);
    socket.on('error', () => undefined);
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${WEB_SOCKET_ID}`).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write([...head, `Sec-WebSocket-Accept: ${key}`, '', ''].join('\r\n'));
    onSocket(callOf(request), {
      send: (text) => socket.write(frameOf(text)),
      isOpen: () => !socket.destroyed && !socket.readableEnded,
    });
    // Frames of the client are not read; it only closes.
    return socket.resume().on('data', () => socket.end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
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

/** The multipart form of a call. */
export async function formOf(call: VendorCall): Promise<FormData> {
  const headers = { 'content-type': call.headers['content-type'] ?? '' };
  return new Response(new Uint8Array(await call.body()), { headers }).formData();
}
