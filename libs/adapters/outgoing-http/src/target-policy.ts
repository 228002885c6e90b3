import { isIP } from 'node:net';
import { SourceFailure } from '#sources';
import { isPublicAddress, isPublicUrl } from './public-address.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
export const OPEN_PORTS = [80, 443];

/**
 * Decides which URLs may be requested:
 *
 * - `http` and `https`, without user name and password;
 * - on an open port, at a public address. `requirePublic` checks each address that the host name resolves to, and the
 *   address of the connection;
 * - at a host and port that the operator allows, with any address and port.
 *
 * Each redirect is checked like a first URL.
 */
export class TargetPolicy {
  readonly #allowed: ReadonlySet<string>;
  readonly #ports: ReadonlySet<string>;

  /**
   * @param allowedHosts `host:port` pairs that the operator allows
   * @param ports open ports of all other hosts
   */
  constructor(allowedHosts: readonly string[], ports: readonly number[]) {
    this.#allowed = new Set(allowedHosts.map(normalisePair));
    this.#ports = new Set(ports.map(String));
  }

  /** @throws SourceFailure `url_blocked` */
  check(url: string, base?: URL): URL {
    const target = URL.parse(url, base?.href);
    if (target === null || !this.isOpen(target)) throw blocked();
    return target;
  }

  /** Reports whether the protocol and the port are open, and the URL has no credentials. */
  isOpen(target: URL): boolean {
    const port = portOf(target);
    if (port === undefined || target.username !== '' || target.password !== '') return false;
    return this.#ports.has(port) || this.allows(target.hostname, port);
  }

  /** Reports whether the operator allows this host and port: its addresses are not checked. */
  allows(hostname: string, port: string): boolean {
    return this.#allowed.has(`${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`);
  }
}

/** Reports whether `SafeHttp` would request a URL, without resolving its host name. */
export function mayCall(url: string, allowedHosts: readonly string[]): boolean {
  const policy = new TargetPolicy(allowedHosts, OPEN_PORTS);
  const target = URL.parse(url);
  if (target === null || !policy.isOpen(target)) return false;
  return isPublicUrl(url) || policy.allows(target.hostname, portOf(target)!);
}

/** @throws SourceFailure `url_blocked` unless all addresses are public */
export function requirePublic(addresses: readonly string[]): void {
  if (!addresses.every((address) => isPublicAddress(address))) throw blocked();
}

function blocked(): SourceFailure {
  return new SourceFailure('url_blocked', { retryable: false });
}

function portOf(url: URL): string | undefined {
  const standard = DEFAULT_PORTS[url.protocol];
  return standard && (url.port || standard);
}

/** Normalises as URLs do: lower case, IPv4 dotted, IPv6 short and in brackets. */
function normalisePair(pair: string): string {
  const url = new URL(`http://${pair}`);
  return `${url.hostname}:${portOf(url)}`;
}
