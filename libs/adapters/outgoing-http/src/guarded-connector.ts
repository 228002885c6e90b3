import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { requirePublic, type TargetPolicy } from './target-policy.ts';

/** Resolves a name to all its addresses, at least one. An abort may end it early. */
type ResolveName = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Access to the network, replaced in tests. */
export interface Network {
  readonly resolve: ResolveName;
  readonly dial: (options: TcpNetConnectOpts) => Socket;
}

export const realNetwork: Network = { resolve: resolvePublicName, dial: (options) => connect(options) };

/**
 * Connects only to public addresses, or to hosts that the operator allows. Connects to the very addresses that were
 * checked, so DNS rebinding has no effect. Aborting `signal` ends the connection; undici itself does not notice an abort
 * before it is connected.
 */
export function guardedConnector(
  policy: TargetPolicy,
  network: Network,
  signal: AbortSignal,
): buildConnector.connector {
  return (target, callback) => {
    open(target, policy, network, signal).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/** Like `guardedConnector`, for an agent that serves many requests: limits the time to open a connection. */
export function guardedConnectorWithin(
  seconds: number,
  policy: TargetPolicy,
  network: Network,
): buildConnector.connector {
  return (target, callback) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), seconds * 1_000);
    open(target, policy, network, deadline.signal)
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
  };
}

async function open(
  { hostname, protocol, port: givenPort }: buildConnector.Options,
  policy: TargetPolicy,
  { resolve, dial }: Network,
  signal: AbortSignal,
): Promise<Socket> {
  const secure = protocol === 'https:';
  const port = givenPort || (secure ? '443' : '80');
  const isTrusted = policy.allows(hostname, port);

  const addresses = await addressesOf(hostname, isTrusted ? resolveLocalName : resolve, signal);
  if (!isTrusted) requirePublic(addresses);

  const socket = dial({ host: hostname, port: Number(port), lookup: lookupIn(addresses) });
  await opened(socket, 'connect', signal);
  try {
    if (!isTrusted) requirePublic([socket.remoteAddress ?? '']);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  if (!secure) return socket;

  const servername = isIP(hostname) === 0 ? hostname : undefined;
  const secured = connectTls({ socket, host: hostname, servername, rejectUnauthorized: true });
  await opened(secured, 'secureConnect', signal);
  return secured;
}

async function addressesOf(hostname: string, resolve: ResolveName, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  signal.throwIfAborted();
  return Promise.race([resolve(hostname, signal), abortOf(signal)]);
}

/** Rejects with the signal's reason when it is aborted. */
export async function abortOf(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

/**
 * Queries DNS directly. `lookup` would block one of Node's few I/O threads while an untrusted name server is slow, and
 * would find names that only this machine knows.
 */
async function resolvePublicName(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
}

/** Resolves a host that the operator allows, like other programs of this machine. */
async function resolveLocalName(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** Waits until `socket` is open, and destroys it when `signal` is aborted. */
async function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  // An error may come before the next user of the socket listens for it.
  socket.on('error', () => {});
  addAbortSignal(signal, socket);
  await once(socket, event, { signal });
  socket.setNoDelay(true);
}

/** Resolves the host to the checked addresses. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };
}
