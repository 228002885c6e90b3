/** Milliseconds in which what tiles of one screen ask for is collected. */
const TOGETHER_MS = 20;

/** Answers many small questions by few calls. */
export class Lookup<Found> {
  #asked = new Map<string, PromiseWithResolvers<Found>>();

  /** @param ask returns what was found for each key, in order */
  constructor(
    private readonly most: number,
    private readonly ask: (keys: readonly string[]) => Promise<readonly Found[]>,
  ) {}

  find(key: string): Promise<Found> {
    if (this.#asked.size === 0) setTimeout(() => this.#send(), TOGETHER_MS);
    const asked = this.#asked.get(key) ?? Promise.withResolvers<Found>();
    this.#asked.set(key, asked);
    return asked.promise;
  }

  #send(): void {
    const all = [...this.#asked];
    this.#asked = new Map();
    for (let from = 0; from < all.length; from += this.most) {
      const some = all.slice(from, from + this.most);
      this.ask(some.map(([key]) => key)).then(
        (found) => some.forEach(([, { resolve }], at) => resolve(found[at]!)),
        (error: unknown) => some.forEach(([, { reject }]) => reject(error)),
      );
    }
  }
}
