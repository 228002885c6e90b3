/**
 * Runs `work` for each item, at most `limit` at the same time.
 *
 * @throws what `work` throws first; what has started by then continues, and no further item is started
 */
export async function forEach<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = endable(items);
  const runner = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, runner));
}

/** A loop that fails ends a generator for all loops over it; it does not end the iterator of an array. */
function* endable<T>(items: Iterable<T>): Generator<T> {
  yield* items;
}
