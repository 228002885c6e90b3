import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stranger's web server with sources of every kind, the bad ones included. Each method gives a URL of its own. */
export interface MediaServer {
  /** `host:port`, for `FETCH_ALLOWED_HOSTS`. */
  readonly host: string;
  serve(bytes: Buffer, headers?: OutgoingHttpHeaders): string;
  serveAt(path: string, bytes: Buffer): void;
  redirect(to: string): string;
  /** Answers the first request with an error, and later ones with the bytes. */
  failOnce(bytes: Buffer): string;
  fail(status: number): string;
  /** Sends bytes without an end. */
  pour(): string;
  /** Announces more than it sends. */
  breakOff(bytes: Buffer): string;
  /** Starts to answer and never ends. */
  hang(): string;
  /** How often the URL was asked for. */
  requestsOf(url: string): number;
  stop(): Promise<void>;
}

export async function startMediaServer(): Promise<MediaServer> {
  const listeners = new Map<string, RequestListener>();
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url!;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const listener = listeners.get(path);
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const add = (listener: RequestListener): string => {
    const path = `/${listeners.size}`;
    listeners.set(path, listener);
    return `http://${host}${path}`;
  };
  return {
    host,
    serve: (bytes, headers = {}) => add((_, response) => response.writeHead(200, headers).end(bytes)),
    serveAt: (path, bytes) => listeners.set(path, (_, response) => response.writeHead(200).end(bytes)),
    redirect: (location) => add((_, response) => response.writeHead(302, { location }).end()),
    failOnce: (bytes) => {
      let isFirst = true;
      return add((_, response) => {
        if (isFirst) response.writeHead(503).end();
        else response.writeHead(200).end(bytes);
        isFirst = false;
      });
    },
    fail: (status) => add((_, response) => response.writeHead(status).end()),
    pour: () =>
      add((_, response) => {
        const chunk = Buffer.alloc(64 * 1024);
        const write = (): void => {
          while (!response.destroyed && response.write(chunk));
        };
        response.writeHead(200).on('drain', write);
        write();
      }),
    breakOff: (bytes) =>
      add((_, response) => {
        response.writeHead(200, { 'content-length': bytes.length + 1 }).write(bytes);
        setTimeout(() => response.destroy(), 20);
      }),
    hang: () => add((_, response) => response.writeHead(200).write('…')),
    requestsOf: (url) => requests.get(url.slice(`http://${host}`.length)) ?? 0,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
