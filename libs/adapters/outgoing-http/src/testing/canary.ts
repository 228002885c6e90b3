import { createServer, type AddressInfo } from 'node:net';

/** A server on every address of this machine that no request may reach. */
export interface Canary {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  /** Bytes received so far. */
  readonly bytes: number;
  close(): Promise<void>;
}

export async function openCanary(): Promise<Canary> {
  let connections = 0;
  let bytes = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret');
    });
  });
  await new Promise<void>((resolve) => {
    server.once('error', () => server.listen(0, '0.0.0.0', resolve));
    server.listen(0, '::', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get bytes() {
      return bytes;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The connections to a proxy that the environment names while the work is done. */
export async function connectionsToProxy(work: () => Promise<void>): Promise<number> {
  const canary = await openCanary();
  const names = 'HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy NODE_USE_ENV_PROXY'.split(' ');
  const before = { ...process.env };
  for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`;
  try {
    await work();
    return canary.connections;
  } finally {
    for (const name of names) delete process.env[name];
    Object.assign(process.env, before);
    await canary.close();
  }
}
