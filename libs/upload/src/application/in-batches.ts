const BATCH = 1000;

/**
 * Does `step` until it did fewer than it was asked to.
 *
 * @param signal when aborted, there is no further step and its reason is thrown
 * @returns how many it did in all
 */
export async function inBatches(
  signal: AbortSignal | undefined,
  step: (limit: number) => Promise<number>,
): Promise<number> {
  let all = 0;
  for (;;) {
    signal?.throwIfAborted();
    const done = await step(BATCH);
    all += done;
    if (done < BATCH) return all;
  }
}
