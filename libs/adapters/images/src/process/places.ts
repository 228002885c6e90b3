/** So many places, given away in the order in which they were asked for. */
export class Places {
  readonly #waiting: { readonly count: number; readonly enter: () => void }[] = [];
  readonly #all: number;
  #free: number;

  constructor(all: number) {
    this.#all = all;
    this.#free = all;
  }

  /** Does `work` on one place. */
  onOne<T>(work: () => Promise<T>): Promise<T> {
    return this.#on(1, work);
  }

  /** Does `work` while nobody else has a place. */
  onAll<T>(work: () => Promise<T>): Promise<T> {
    return this.#on(this.#all, work);
  }

  async #on<T>(count: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ count, enter });
      this.#letIn();
    });
    try {
      return await work();
    } finally {
      this.#free += count;
      this.#letIn();
    }
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next && next.count <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.enter();
    }
  }
}
