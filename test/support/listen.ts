import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Has a server of a test listen where the service can call it: on loopback, or for a service that runs elsewhere on
 * `X12_TEST_HOST`, an address and port of this machine.
 *
 * @returns `host:port`, for `FETCH_ALLOWED_HOSTS`
 */
export async function listen(server: Server): Promise<string> {
  const [host = '127.0.0.1', port = '0'] = process.env.X12_TEST_HOST?.split(':') ?? [];
  server.listen(Number(port), host);
  await once(server, 'listening');
  return `${host}:${(server.address() as AddressInfo).port}`;
}
