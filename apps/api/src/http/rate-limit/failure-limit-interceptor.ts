import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '#config';
import { settings } from '#wiring';
import type { RequestInterceptor, Exchange, RouteMethod } from '../request-interceptor.ts';
import { clientAddress } from './client-address.ts';
import { FAILURE_LIMIT, type FailureLimit } from './limit-failures.ts';
import { type RateCounters, rateCounters } from './rate-counters.ts';
import { refuse } from './request-limits.ts';

const WINDOW_SECONDS = 60;

/** Counts each attempt before it is made, so that many at once are no way around it, and takes back those that succeed. */
@Injectable()
export class FailureLimitInterceptor implements RequestInterceptor {
  readonly #reflector: Reflector;
  readonly #enabled: boolean;
  readonly #counters: RateCounters;
  readonly #logger = new Logger('RateLimit');
  readonly #limits = new Map<FailureLimit, readonly [RateLimiterAbstract, RateLimiterAbstract]>();

  constructor(
    @Inject(Reflector) reflector: Reflector,
    @Inject(settings) { http }: Settings,
    @Inject(rateCounters) counters: RateCounters,
  ) {
    this.#reflector = reflector;
    this.#enabled = http.rateLimitPerMinute > 0;
    this.#counters = counters;
  }

  concerns(method: RouteMethod): boolean {
    return this.#enabled && this.#limitOf(method) !== undefined;
  }

  async around({ request, response, method }: Exchange, next: () => Promise<unknown>): Promise<unknown> {
    const limit = this.#limitOf(method)!;
    const [byAddress, byValue] = this.#countersOf(limit, method.name);
    const attempts: [RateLimiterAbstract, string][] = [
      [byAddress, clientAddress(request.ip)],
      [byValue, valueKey(request.fields?.[limit.field])],
    ];
    for (const [counter, key] of attempts) await this.#count(counter, key, response);
    const answer = await next();
    await this.#takeBack(attempts);
    return answer;
  }

  #limitOf(method: RouteMethod): FailureLimit | undefined {
    return this.#reflector.get<FailureLimit | undefined>(FAILURE_LIMIT, method);
  }

  #countersOf(limit: FailureLimit, route: string): readonly [RateLimiterAbstract, RateLimiterAbstract] {
    let counters = this.#limits.get(limit);
    if (!counters) {
      const seconds = WINDOW_SECONDS;
      counters = [
        this.#counters({ name: `failures:${route}:address`, points: limit.perAddress, seconds }),
        this.#counters({ name: `failures:${route}:${limit.field}`, points: limit.perValue, seconds }),
      ];
      this.#limits.set(limit, counters);
    }
    return counters;
  }

  async #count(counter: RateLimiterAbstract, key: string, response: Response): Promise<void> {
    try {
      await counter.consume(key);
    } catch (refusedOrFailed) {
      if (refusedOrFailed instanceof RateLimiterRes) {
        refuse(response, Math.max(1, Math.ceil(refusedOrFailed.msBeforeNext / 1000)));
      }
      this.#logger.warn({ err: refusedOrFailed }, 'failed attempts can not be counted');
    }
  }

  async #takeBack(attempts: readonly [RateLimiterAbstract, string][]): Promise<void> {
    try {
      for (const [counter, key] of attempts) await counter.reward(key);
    } catch (error) {
      this.#logger.warn({ err: error }, 'an attempt that succeeded stays counted');
    }
  }
}

/** As people write one address in several ways, case and outer blanks don't make it another. */
function valueKey(value: unknown): string {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return createHash('sha256').update(text).digest('base64url');
}
