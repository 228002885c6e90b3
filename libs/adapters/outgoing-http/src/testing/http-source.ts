import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface HttpSource {
  /** `127.0.0.1:port`. */
  readonly host: string;
  url(path?: string): string;
  /** Closes all connections. */
  disconnect(): void;
  close(): Promise<void>;
}

/** A well-behaved HTTP server on this machine. */
export async function openHttpSource(listener: RequestListener): Promise<HttpSource> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return source(server, () => server.closeAllConnections());
}

/** A server that runs `speak` when it receives the first bytes. */
export async function openRawSource(speak: (socket: Socket, request: string) => void): Promise<HttpSource> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (chunk) => speak(socket, chunk.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return source(server, () => sockets.forEach((socket) => socket.destroy()));
}

function source(server: Server, disconnect: () => void): HttpSource {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    disconnect();
    await new Promise((resolve) => server.close(resolve));
  };
  return { host, url: (path = '/') => `http://${host}${path}`, disconnect, close };
}
