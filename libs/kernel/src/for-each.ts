/**
 * Runs `work` for each item, at most `limit` at the same time.
 *
 * @throws what `work` throws first; what has started by then continues
 */
export async function forEach<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const runner = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, runner));
}
