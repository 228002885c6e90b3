import { setTimeout as sleep } from 'node:timers/promises';
import { probePort } from './probe-port.ts';
import { StartError } from './start-error.ts';

/** What a predecessor that was killed a moment ago may still need to let go of its port. */
const PATIENCE_MS = 3000;

/** @throws StartError when the API could not listen there */
export async function checkPort(host: string, port: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const probe = await probePort(host, port);
    if ('port' in probe) return;
    if (probe.refused !== 'EADDRINUSE' || Date.now() > deadline)
      throw listenRefusal(host, port, probe.refused);
  }
}

/**
 * What to do about an error code of `listen`.
 *
 * @param variables what the names of the two variables begin with
 */
export function listenRefusal(host: string, port: number, code: string, variables = ''): StartError {
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `port ${port} on ${host} is taken: end what listens there, or give another ${variables}PORT`,
      );
    case 'EACCES':
      return new StartError(
        `port ${port} on ${host} is not allowed to this account: give a ${variables}PORT above 1023`,
      );
    default:
      return new StartError(
        `${variables}HOST ${host} is no address of this machine (${code}): give 127.0.0.1, say`,
      );
  }
}
