import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { probePort } from './probe-port.ts';

/** Below are the ports of well-known programs. */
const LOWEST = 10_000;
const TRIES = 50;

/**
 * A free port of the loopback interface: `wanted` if it is one, and where there is any, one that the system does not
 * give to outgoing connections by itself. Such a connection may take a port of theirs whenever nobody listens there,
 * be it one that tries to reach this very port.
 *
 * @returns `null` when none is found
 */
export async function freePort(wanted = 0): Promise<number | null> {
  const lowestOutgoing = await lowestOutgoingPort();
  const candidates = wanted >= LOWEST && wanted < lowestOutgoing ? [wanted] : [];
  if (LOWEST < lowestOutgoing) {
    candidates.push(...Array.from({ length: TRIES }, () => randomInt(LOWEST, lowestOutgoing)));
  }
  for (const port of [...candidates, wanted, 0]) {
    const probe = await probePort('127.0.0.1', port);
    if ('port' in probe) return probe.port;
  }
  return null;
}

async function lowestOutgoingPort(): Promise<number> {
  // What every other system uses.
  if (process.platform !== 'linux') return 49_152;
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  return Number.parseInt(range, 10) || 32_768;
}
