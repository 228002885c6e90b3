import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/** A stranger's web server that has pictures, and things that are none. */
export interface PictureServer {
  /** `host:port`, for `FETCH_ALLOWED_HOSTS`. */
  readonly host: string;
  /** A picture that no other URL has. */
  readonly png: Buffer;
  url(path: string): string;
  stop(): Promise<void>;
}

/** Serves the picture at every path that ends in `.png`, a text at `…​.txt`, and nothing else. */
export async function startPictureServer(): Promise<PictureServer> {
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c53' } })
    .png()
    .toBuffer();
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    else if (request.url?.endsWith('.txt')) response.writeHead(200, { 'content-type': 'image/png' }).end('no');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    png,
    url: (path) => `http://${host}/${path}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
