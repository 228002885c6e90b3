import { performance } from 'node:perf_hooks';
import { runningRequest } from './checked-unit-of-work.ts';

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

/** Counts the time of a call to a vendor or a storage as time that the running request waits, if there is one. */
export async function waiting<T>(call: () => Promise<T>): Promise<T> {
  const request = runningRequest.getStore();
  if (!request) return call();
  const waits = (request.waits ??= new Waits());
  waits.begin();
  try {
    return await call();
  } finally {
    waits.end();
  }
}
