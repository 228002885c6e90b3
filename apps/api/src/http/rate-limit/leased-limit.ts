import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimiterRes } from 'rate-limiter-flexible';

/** What a key has left in the window that it is in. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

interface Lease {
  /** Permits in hand; 0 once the window is used up. */
  permits: number;
  /** What the counter had left when the lease was taken. */
  left: number;
  readonly endsAt: number;
}

const FORGET_EVERY_MS = 60_000;

/**
 * So many requests a window for each key, shared by all processes that use the same counter, of which a process
 * leases a block at a time: few requests cost a round trip, and never are more allowed than the limit. What a process
 * has leased and does not use is lost to the others until the window ends, at most a twentieth of the limit.
 */
export class LeasedLimit {
  readonly #counter: RateLimiterAbstract;
  readonly #limit: number;
  readonly #block: number;
  readonly #leases = new Map<string, Lease>();
  readonly #leasing = new Map<string, Promise<Lease>>();
  #forgetAt = 0;

  constructor(counter: RateLimiterAbstract) {
    this.#counter = counter;
    this.#limit = counter.points;
    this.#block = blockOf(counter.points);
  }

  /** Takes a permit where there is one. Rejects with the counter's error when the counter fails. */
  async take(key: string): Promise<Allowance> {
    for (;;) {
      const lease = this.#current(key) ?? (await this.#lease(key));
      if (lease.permits > 0 && lease.endsAt > Date.now()) {
        lease.permits--;
        return this.#allowance(lease, true);
      }
      // Others who waited for the same lease may have taken all of it.
      if (lease.left === 0) return this.#allowance(lease, false);
      if (this.#leases.get(key) === lease) this.#leases.delete(key);
    }
  }

  /** The allowance of a key that is known, without asking the counter, to have used up its window. */
  refusal(key: string): Allowance | null {
    const lease = this.#current(key);
    return lease && lease.permits === 0 && lease.left === 0 ? this.#allowance(lease, false) : null;
  }

  #current(key: string): Lease | undefined {
    const lease = this.#leases.get(key);
    return lease && lease.endsAt > Date.now() ? lease : undefined;
  }

  #lease(key: string): Promise<Lease> {
    let leasing = this.#leasing.get(key);
    if (!leasing) {
      leasing = this.#askFor(key).finally(() => this.#leasing.delete(key));
      this.#leasing.set(key, leasing);
    }
    return leasing;
  }

  async #askFor(key: string): Promise<Lease> {
    const answer = await consume(this.#counter, key, this.#block);
    const granted = answer.consumedPoints <= this.#limit;
    const now = Date.now();
    const lease = {
      permits: granted ? this.#block : 0,
      left: granted ? Math.max(0, this.#limit - answer.consumedPoints) : 0,
      endsAt: now + Math.max(1, answer.msBeforeNext),
    };
    this.#forgetEnded(now);
    this.#leases.set(key, lease);
    return lease;
  }

  #forgetEnded(now: number): void {
    if (now < this.#forgetAt) return;
    this.#forgetAt = now + FORGET_EVERY_MS;
    for (const [key, lease] of this.#leases) if (lease.endsAt <= now) this.#leases.delete(key);
  }

  #allowance(lease: Lease, allowed: boolean): Allowance {
    return {
      allowed,
      limit: this.#limit,
      remaining: lease.left + lease.permits,
      resetSeconds: Math.max(1, Math.ceil((lease.endsAt - Date.now()) / 1000)),
    };
  }
}

/** The largest divisor of the limit that is at most a twentieth of it: blocks fill the limit exactly. */
export function blockOf(limit: number): number {
  for (let block = Math.floor(limit / 20); block > 1; block--) if (limit % block === 0) return block;
  return 1;
}

/** The library rejects with its result when the limit is exceeded, and with an error when the counter fails. */
async function consume(counter: RateLimiterAbstract, key: string, points: number): Promise<RateLimiterRes> {
  try {
    return await counter.consume(key, points);
  } catch (refusedOrFailed) {
    if (refusedOrFailed instanceof RateLimiterRes) return refusedOrFailed;
    throw refusedOrFailed;
  }
}
