import { createServer } from 'node:net';

/** Whether something could listen there now; `port` 0 stands for any free one. */
export async function probePort(host: string, port: number): Promise<{ port: number } | { refused: string }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ refused: error.code ?? error.message }));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve({ port: typeof address === 'object' && address ? address.port : port }));
    });
  });
}
