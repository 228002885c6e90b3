const AT_ONCE = 4;

/** Processes a few items at a time. The first failure is thrown, and no further item is started. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = endable(items);
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** A generator, because a loop that fails ends it for all loops over it, unlike the iterator of an array. */
function* endable<T>(items: readonly T[]): Generator<T> {
  yield* items;
}
