import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './program.ts';

/** How long the port of a killed process may stay in use. */
const RELEASE_MS = 3000;
/** Lower ports belong to well-known programs. */
const LOWEST = 10_000;
const TRIES = 50;
/** Processes that look for a port at the same moment try different ports, and a process tries no port twice in a row. */
const SHARES = 64;
let turn = randomInt(1_000_000);

/** Checks whether a server could listen on a port now. Port 0 stands for any free port. */
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

/**
 * @param prefix the prefix of the variables `HOST` and `PORT`
 * @throws StartError when a server could not listen on the port
 */
export async function checkPort(host: string, port: number, prefix = ''): Promise<void> {
  for (const deadline = Date.now() + RELEASE_MS; ; await sleep(100)) {
    const probe = await probePort(host, port);
    if ('port' in probe) return;
    if (probe.refused !== 'EADDRINUSE' || Date.now() > deadline) throw listenRefusal(host, port, probe.refused, prefix);
  }
}

/**
 * Returns the error for a failed `listen`.
 *
 * @param prefix the prefix of the variables `HOST` and `PORT`
 */
export function listenRefusal(host: string, port: number, code: string, prefix = ''): StartError {
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `port ${port} on ${host} is in use: stop the program that listens there, or set another ${prefix}PORT`,
      );
    case 'EACCES':
      return new StartError(`this account may not listen on port ${port} of ${host}: set a ${prefix}PORT above 1023`);
    default:
      return new StartError(
        `${prefix}HOST ${host} is not an address of this machine (${code}): set another, such as 127.0.0.1`,
      );
  }
}

/**
 * Finds a free port on the loopback interface, preferably `wanted`. Avoids the ports of outgoing connections: one of them
 * could take the port while the server restarts.
 *
 * @returns `null` when no port is free
 */
export async function freePort(wanted = 0): Promise<number | null> {
  for (const port of candidates(wanted, await lowestOutgoingPort())) {
    const probe = await probePort('127.0.0.1', port);
    if ('port' in probe) return probe.port;
  }
  return null;
}

function* candidates(wanted: number, lowestOutgoing: number): Generator<number> {
  if (wanted >= LOWEST && wanted < lowestOutgoing) yield wanted;
  const share = Math.floor((lowestOutgoing - LOWEST) / SHARES);
  const first = LOWEST + (process.pid % SHARES) * share;
  for (let tries = 0; tries < TRIES && share > 0; tries++) yield first + (turn++ % share);
  yield wanted;
  yield 0;
}

async function lowestOutgoingPort(): Promise<number> {
  // The default of macOS and Windows.
  if (process.platform !== 'linux') return 49_152;
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  return Number.parseInt(range, 10) || 32_768;
}
