import { SourceFailure } from '#sources';
import { isPublicUrl } from './public-address.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
export const OPEN_PORTS = [80, 443];

/** Which URLs may be requested by their form; the address of the host is checked when it is connected to. */
export class TargetPolicy {
  readonly #allowed: ReadonlySet<string>;
  readonly #ports: ReadonlySet<string>;

  /**
   * @param allowedHosts `host:port` pairs that may be reached whatever their address and port
   * @param ports allowed on any other host
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

  /** Whether its protocol and port are open, and it has no credentials. */
  isOpen(target: URL): boolean {
    const port = portOf(target);
    if (port === undefined || target.username !== '' || target.password !== '') return false;
    return this.#ports.has(port) || this.allows(target.hostname, port);
  }

  /** Whether the operator allows this host, so that its address needs no check. */
  allows(hostname: string, port: string): boolean {
    return this.#allowed.has(`${hostname}:${port}`);
  }
}

/** Whether `SafeHttp` would request a URL, as far as it shows: the addresses of a name are not looked up. */
export function mayCall(url: string, allowedHosts: readonly string[]): boolean {
  const policy = new TargetPolicy(allowedHosts, OPEN_PORTS);
  const target = URL.parse(url);
  if (target === null || !policy.isOpen(target)) return false;
  return isPublicUrl(url) || policy.allows(target.hostname, portOf(target)!);
}

export function blocked(): SourceFailure {
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
