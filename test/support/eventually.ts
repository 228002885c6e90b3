import { setTimeout as sleep } from 'node:timers/promises';

/** Ends with the test or the hook that waits: environment.js sets it. There is none outside of Jest. */
const signalOfTest = () => (globalThis as Record<symbol, unknown>)[Symbol.for('x12.test-signal')] as AbortSignal;

/** Probes until the result is truthy. Its only limit is that of the test; what was not seen by then is printed. */
export async function eventually<T>(
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  { everyMs = 50 } = {},
): Promise<T> {
  const signal = signalOfTest();
  const notSeen = new Error('it did not happen before the test ended');
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (signal?.aborted) {
      process.stderr.write(`${notSeen.stack}\n`);
      throw notSeen;
    }
    await sleep(everyMs);
  }
}
