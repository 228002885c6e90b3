import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import sharp from 'sharp';
import { listen } from './listen.ts';

interface WebServer {
  /** `host:port`, for `FETCH_ALLOWED_HOSTS`. */
  readonly host: string;
  stop(): Promise<void>;
}

async function startWebServer(listener: RequestListener): Promise<WebServer> {
  const server = createServer(listener);
  return {
    host: await listen(server),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An untrusted web server with pictures, and files that are none. */
export interface PictureServer extends WebServer {
  /** A picture that no other URL has. */
  readonly png: Buffer;
  url(path: string): string;
}

/** Serves a white picture at `…mask.png`, the picture at all other `….png`, a text at `….txt`, and nothing else. */
export async function startPictureServer(): Promise<PictureServer> {
  const create = { width: 64, height: 48, channels: 3 as const, background: '#c53' };
  const png = await sharp({ create }).png().toBuffer();
  const white = await sharp({ create: { ...create, background: '#fff' } })
    .png()
    .toBuffer();
  const server = await startWebServer((request, response) => {
    if (request.url?.endsWith('mask.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(white);
    else if (request.url?.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    else if (request.url?.endsWith('.txt')) response.writeHead(200, { 'content-type': 'image/png' }).end('no');
    else response.writeHead(404).end();
  });
  return { ...server, png, url: (path) => `http://${server.host}/${path}` };
}

/** An untrusted web server with sources of every kind, the bad ones included. Each method returns a new URL. */
export interface MediaServer extends WebServer {
  serve(bytes: Buffer, headers?: OutgoingHttpHeaders): string;
  serveAt(path: string, bytes: Buffer): void;
  /** Responds to the first request with an error, and to later ones with the bytes. */
  failOnce(bytes: Buffer): string;
  fail(status: number): string;
  /** Sends bytes without an end. */
  pour(): string;
  /** Announces more than it sends. */
  breakOff(bytes: Buffer): string;
  /** Starts a response and never ends it. */
  hang(): string;
}

export async function startMediaServer(): Promise<MediaServer> {
  const listeners = new Map<string, RequestListener>();
  const server = await startWebServer((request, response) => {
    const listener = listeners.get(request.url!);
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  const { host } = server;
  const add = (listener: RequestListener): string => {
    const path = `/${listeners.size}`;
    listeners.set(path, listener);
    return `http://${host}${path}`;
  };
  return {
    ...server,
    serve: (bytes, headers = {}) => add((_, response) => response.writeHead(200, headers).end(bytes)),
    serveAt: (path, bytes) => listeners.set(path, (_, response) => response.writeHead(200).end(bytes)),
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
  };
}
