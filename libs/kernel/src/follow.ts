/** Subscribes to changes. Resolves to a function that ends the subscription. */
export type Subscribe<Change> = (onChange: (change: Change) => void) => Promise<() => void>;

/**
 * The events of something that changes. It is read after the subscription begins, so that no change is missed between them.
 *
 * @param signal ends the events and frees all resources; must be aborted in the end
 * @throws what `subscribe` and `read` throw
 */
export async function follow<View, Change, Event>(
  subscribe: Subscribe<Change>,
  read: () => Promise<View>,
  eventsFrom: (first: View, changes: LatestChange<Change>, read: () => Promise<View>) => AsyncIterable<Event>,
  signal: AbortSignal,
): Promise<AsyncIterable<Event>> {
  const changes = new LatestChange<Change>(signal);
  const stop = await subscribe((change) => changes.put(change));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return eventsFrom(await read(), changes, read);
  } catch (error) {
    stop();
    throw error;
  }
}

/** Keeps the latest unread change: a slow reader gets no others. */
export class LatestChange<Change> {
  #latest: { readonly change: Change } | null = null;
  #ended = false;
  #wake = (): void => undefined;

  constructor(signal: AbortSignal) {
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  }

  put(change: Change): void {
    this.#latest = { change };
    this.#wake();
  }

  /** Waits for a change; `null` once the signal is aborted. */
  async next(): Promise<{ readonly change: Change } | null> {
    while (!this.#latest && !this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#ended) return null;
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }
}
