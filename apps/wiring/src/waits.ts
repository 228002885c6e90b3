import { performance } from 'node:perf_hooks';

/** Time that a request has waited for others, in milliseconds. Waits at the same time count once. */
export class Waits {
  #open = 0;
  #since = 0;
  #ms = 0;

  begin(): void {
    if (this.#open++ === 0) this.#since = performance.now();
  }

  end(): void {
    if (--this.#open === 0) this.#ms += performance.now() - this.#since;
  }

  get ms(): number {
    return this.#open > 0 ? this.#ms + performance.now() - this.#since : this.#ms;
  }
}
