/**
 * Runs `work` for each item, at most `limit` at the same time.
 *
 * @throws the first error of `work`; running items continue, and no further item is started
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

/** A failing loop closes a generator for all runners; it would not end the iterator of an array. */
function* endable<T>(items: Iterable<T>): Generator<T> {
  yield* items;
}
