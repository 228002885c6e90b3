import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { resolveLocalName, resolvePublicName, type ResolveName } from './resolve-name.ts';
import { blocked, type TargetPolicy } from './target-policy.ts';

/** What connecting does to the outside world. */
export interface Network {
  readonly resolve: ResolveName;
  readonly dial: (options: TcpNetConnectOpts) => Socket;
}

export const realNetwork: Network = { resolve: resolvePublicName, dial: (options) => connect(options) };

/**
 * Connects only to public addresses, or to hosts that the policy allows. What is checked is what is connected to: a
 * name that answers otherwise the next time changes nothing. The connection ends with `signal`; undici itself
 * would not notice an abort before it is connected.
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

async function open(
  { hostname, protocol, port: givenPort }: buildConnector.Options,
  policy: TargetPolicy,
  { resolve, dial }: Network,
  signal: AbortSignal,
): Promise<Socket> {
  const secure = protocol === 'https:';
  const port = givenPort || (secure ? '443' : '80');
  const trusted = policy.allows(isIP(hostname) === 6 ? `[${hostname}]` : hostname, port);

  const addresses = await addressesOf(hostname, trusted ? resolveLocalName : resolve, signal);
  if (!trusted && !addresses.every((address) => isPublicAddress(address))) throw blocked();

  const socket = dial({ host: hostname, port: Number(port), lookup: answering(addresses) });
  await opened(socket, 'connect', signal);
  if (!trusted && !isPublicAddress(socket.remoteAddress ?? '')) {
    socket.destroy();
    throw blocked();
  }
  if (!secure) return socket;

  const servername = isIP(hostname) === 0 ? hostname : undefined;
  const secured = connectTls({ socket, host: hostname, servername, rejectUnauthorized: true });
  await opened(secured, 'secureConnect', signal);
  return secured;
}

async function addressesOf(
  hostname: string,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  signal.throwIfAborted();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([resolve(hostname, signal), aborted]);
}

/** Waits until `socket` is open; from now on it lives no longer than `signal`. */
async function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  // Whoever uses the socket next listens for errors too, but may not do so yet when one comes.
  socket.on('error', () => {});
  addAbortSignal(signal, socket);
  await once(socket, event, { signal });
  socket.setNoDelay(true);
}

/** Gives the addresses that were checked to whatever asks for those of the host. */
function answering(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, answers[0]!.address, answers[0]!.family);
  };
}
