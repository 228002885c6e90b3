import { setTimeout as sleep } from 'node:timers/promises';

/** Probes until the result is truthy. */
export async function eventually<T>(
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  { seconds = 25, everyMs = 50 } = {},
): Promise<T> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(everyMs)) {
    const found = await probe();
    if (found) return found;
  }
  throw new Error(`it did not happen within ${seconds} s`);
}
