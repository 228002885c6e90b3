import { DomainError } from './errors.ts';

/** A counting semaphore that grants permits in the order of the requests. */
export class Semaphore {
  readonly #waiting: { readonly count: number; readonly enter: () => void }[] = [];
  #free: number;

  /** @param maxWaiting how many may wait for permits */
  constructor(
    readonly all: number,
    private readonly maxWaiting = Infinity,
  ) {
    this.#free = all;
  }

  /** Reports whether nobody has or waits for a permit. */
  get isIdle(): boolean {
    return this.#free === this.all;
  }

  /** Runs `work` with `count` permits. @throws DomainError `unavailable` when `maxWaiting` others are waiting */
  async on<T>(count: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= this.maxWaiting && this.#free < count) {
      throw new DomainError('unavailable', 'too much is waiting for the same: try again');
    }
    await new Promise<void>((enter) => {
      this.#waiting.push({ count, enter });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#free += count;
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && next.count <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.enter();
    }
  }
}

/** A semaphore for each key. */
export class KeyedSemaphore<Key> {
  readonly #inUse = new Map<Key, Semaphore>();

  /**
   * @param each permits of each key
   * @param maxWaiting how many may wait for a permit of one key
   */
  constructor(
    private readonly each: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** Runs `work` with a permit of `key`. @throws DomainError `unavailable` when `maxWaiting` others are waiting for one */
  async on<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const semaphore = this.#inUse.get(key) ?? new Semaphore(this.each, this.maxWaiting);
    this.#inUse.set(key, semaphore);
    try {
      return await semaphore.on(1, work);
    } finally {
      if (semaphore.isIdle) this.#inUse.delete(key);
    }
  }
}
