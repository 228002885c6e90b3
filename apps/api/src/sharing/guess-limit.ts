import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { KeyedSemaphore } from '#kernel';
import { type RateCounters, rateCounters } from '#wiring';
import { FAILURES_SECONDS, hashed, refuse, waitSeconds } from '../http/index.ts';

/** Checks of an address at the same time. */
const AT_ONCE = 4;
/** Checks of an address that wait for their turn; others are refused. */
const MOST_WAITING = 100;

/** A guess by an address at the password of one of many links. */
interface Guess {
  readonly address: string;
  readonly shareId: number;
  readonly isWrong: (error: unknown) => boolean;
}

/** Wrong guesses by one kind of key, and the waits after them. */
interface Limit {
  readonly free: number;
  readonly failures: RateLimiterAbstract;
  readonly waits: RateLimiterAbstract;
}

/**
 * Slows down guessing at the passwords of links: above `free` wrong guesses an address waits, longer each time, for one link
 * or for all. Only outcomes count: right guesses, refused ones and those under way never do. What is under way is bounded.
 */
@Injectable()
export class GuessLimit {
  readonly #logger = new Logger('RateLimit');
  readonly #turns = new KeyedSemaphore<string>(AT_ONCE, MOST_WAITING);
  readonly #oneByOne = new KeyedSemaphore<string>(1);
  readonly #byLink: Limit;
  readonly #byAddress: Limit;

  constructor(@Inject(rateCounters) counters: RateCounters) {
    const limit = (name: string, free: number): Limit => ({
      free,
      failures: counters({ name: `failures:guest-password:${name}`, points: 1_000_000, seconds: FAILURES_SECONDS }),
      waits: counters({ name: `waits:guest-password:${name}`, points: 1, seconds: 1 }),
    });
    this.#byLink = limit('link', 10);
    this.#byAddress = limit('address', 30);
  }

  /**
   * @throws DomainError `rate_limited` while the address must wait; `unavailable` while too many of its checks wait for
   * their turn; what `check` throws
   */
  async run<T>({ address, shareId, isWrong }: Guess, response: Response, check: () => Promise<T>): Promise<T> {
    const limits = [
      [this.#byLink, hashed(`${address} ${shareId}`)],
      [this.#byAddress, address],
    ] as const;
    const checkNow = async () => {
      const waits = await this.#counted(limits.map(([{ waits }, key]) => waits.get(key)));
      const waitMs = Math.max(...waits.map((wait) => wait?.msBeforeNext ?? 0));
      if (waitMs > 0) refuse(response, Math.ceil(waitMs / 1000));
      try {
        return await check();
      } catch (error) {
        if (isWrong(error)) await this.#counted(limits.map(([limit, key]) => addFailure(limit, key)));
        throw error;
      }
    };
    return this.#turns.on(address, async () => {
      const failures = await this.#counted(limits.map(([limit, key]) => limit.failures.get(key)));
      const isSlow = limits.some(([{ free }], index) => (failures[index]?.consumedPoints ?? 0) >= free);
      // Where a wrong guess begins a wait, the next guess has to learn of it.
      return isSlow ? this.#oneByOne.on(address, checkNow) : checkNow();
    });
  }

  /** Guests enter while guesses can't be counted. */
  async #counted<T>(calls: readonly Promise<T>[]): Promise<readonly T[]> {
    return Promise.all(calls).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'wrong passwords cannot be counted');
      return [];
    });
  }
}

async function addFailure({ free, failures, waits }: Limit, key: string): Promise<void> {
  const { consumedPoints } = await failures.consume(key);
  const seconds = waitSeconds(consumedPoints, free);
  if (seconds > 0) await waits.set(key, 1, seconds);
}
