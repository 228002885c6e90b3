const BATCH = 1000;

/**
 * Does `step` until it did fewer than it was asked to.
 *
 * @param signal when aborted, there is no further step and its reason is thrown
 * @param batches how many steps at most
 * @returns how many it did in all
 */
export async function inBatches(
  signal: AbortSignal | undefined,
  step: (limit: number) => Promise<number>,
  batches = Infinity,
): Promise<number> {
  let all = 0;
  for (let batch = 0; batch < batches; batch++) {
    signal?.throwIfAborted();
    const done = await step(BATCH);
    all += done;
    if (done < BATCH) break;
  }
  return all;
}
