import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be made to carry nothing, without a word to either side. */
export interface StallableProxy {
  /** `http://host:port` in place of the server's. */
  readonly endpoint: string;
  stall(): void;
  goOn(): void;
  close(): Promise<void>;
}

export async function stallableProxy(endpoint: string): Promise<StallableProxy> {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!isStalled) to.write(bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => (isStalled = true),
    goOn: () => (isStalled = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
