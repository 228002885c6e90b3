import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name, at least one. An abort may end the wait early. */
export type ResolveName = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Queries DNS directly. `lookup` would keep one of Node's few I/O threads busy while an untrusted name server takes its
 * time, and would find names that only this machine knows.
 */
export const resolvePublicName: ResolveName = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const v6 = resolver.resolve6(hostname).catch(() => []);
    const v4 = await resolver.resolve4(hostname).catch((error: unknown) => ({ error }));
    const addresses = [...('error' in v4 ? [] : v4), ...(await v6)];
    if (addresses.length === 0 && 'error' in v4) throw v4.error;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Resolves as every program of this machine does, for hosts that the operator allows. */
export const resolveLocalName: ResolveName = async (hostname) => {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => address);
};
