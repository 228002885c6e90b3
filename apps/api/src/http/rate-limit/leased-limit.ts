import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Units that a key has left in its current window. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

interface Lease {
  /** Permits in hand. */
  permits: number;
  /** Permits that the counter had left. */
  left: number;
  endsAt: number;
  /** Resolves when the counter has responded, rejects if it failed. */
  readonly ready: Promise<void>;
}

/**
 * A limit of requests per window for each key, shared by all processes with the same counter. A process leases permits
 * in blocks, so that few requests cost a round trip. Never more requests are allowed than the limit. Permits that a
 * process has leased and does not use, at most a twentieth of the limit, are lost until the window ends.
 */
export class LeasedLimit {
  readonly #limit: number;
  readonly #block: number;
  readonly #leases = new Map<string, Lease>();

  constructor(private readonly counter: RateLimiterAbstract) {
    this.#limit = counter.points;
    this.#block = blockOf(counter.points);
  }

  /** Takes a permit if there is one. Rejects with the counter's error if the counter fails. */
  async take(key: string): Promise<Allowance> {
    for (;;) {
      const lease = this.#current(key) ?? this.#lease(key);
      await lease.ready;
      if (lease.permits > 0 && lease.endsAt > Date.now()) {
        lease.permits--;
        return this.#allowance(lease, true);
      }
      if (lease.permits === 0 && lease.left === 0) return this.#allowance(lease, false);
      this.#drop(key, lease);
    }
  }

  /** The allowance of a key that has used up its window, as far as this process knows without asking the counter. */
  refusal(key: string): Allowance | null {
    const lease = this.#current(key);
    return lease && lease.permits === 0 && lease.left === 0 ? this.#allowance(lease, false) : null;
  }

  #current(key: string): Lease | undefined {
    const lease = this.#leases.get(key);
    return lease && lease.endsAt > Date.now() ? lease : undefined;
  }

  #lease(key: string): Lease {
    // The library rejects with its result if the limit is exceeded, and with an error if the counter fails.
    const counted = this.counter.consume(key, this.#block).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const ready = counted.then(({ consumedPoints, msBeforeNext }) => {
      const granted = consumedPoints <= this.#limit;
      lease.permits = granted ? this.#block : 0;
      lease.left = granted ? this.#limit - consumedPoints : 0;
      lease.endsAt = Date.now() + Math.max(1, msBeforeNext);
      setTimeout(() => this.#drop(key, lease), lease.endsAt - Date.now()).unref();
    });
    const lease: Lease = { permits: 0, left: this.#limit, endsAt: Infinity, ready };
    this.#leases.set(key, lease);
    ready.catch(() => this.#drop(key, lease));
    return lease;
  }

  #drop(key: string, lease: Lease): void {
    if (this.#leases.get(key) === lease) this.#leases.delete(key);
  }

  #allowance({ left, permits, endsAt }: Lease, allowed: boolean): Allowance {
    const resetSeconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1000));
    return { allowed, limit: this.#limit, remaining: left + permits, resetSeconds };
  }
}

/** The largest divisor of the limit that is at most a twentieth of it: whole blocks reach the limit exactly. */
export function blockOf(limit: number): number {
  for (let block = Math.floor(limit / 20); block > 1; block--) if (limit % block === 0) return block;
  return 1;
}
