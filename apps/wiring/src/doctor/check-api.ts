import type { Settings } from '#config';
import { Ill } from './check.ts';

const TIMEOUT_MS = 15_000;
const ADVICE: Readonly<Record<string, string>> = {
  full: 'make space on its disk: DISK_RESERVE_BYTES are kept for the database',
  outdated: 'run `npm run migrate` of the version that runs',
  read_only: 'make its disk writable, and see that the database is no standby',
};
const READ_LOG = 'read the last lines of its log';

/** The API's report of its own health: it may lack a service that this process reaches. */
export async function checkApi({ http: { publicUrl } }: Settings): Promise<string> {
  const url = new URL('/health/ready', publicUrl);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    throw new Ill(`${url.origin} cannot be reached`, 'start the service, and see what PUBLIC_URL leads to', { cause });
  });
  if (response.ok) return `ready at ${url.origin}`;
  const body = (await response.json().catch(() => ({}))) as { message?: string; checks?: { state: string }[] };
  const [advice] = (body.checks ?? []).flatMap(({ state }) => ADVICE[state] ?? []);
  throw new Ill(`${url.origin} is not ready: ${body.message ?? `status ${response.status}`}`, advice ?? READ_LOG);
}
