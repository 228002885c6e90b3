import { Inject, Injectable, Logger, SetMetadata } from '@nestjs/common';
import type { Response } from 'express';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '#config';
import { settings } from '#wiring';
import { type Around, clientAddress, type RequestInterceptor, type RouteMethod } from '../request.ts';
import { type RateCounters, rateCounters } from './rate-counters.ts';
import { hashed, refuse, WINDOW_SECONDS } from './request-limits.ts';

interface FailureLimit {
  /** Failed attempts per minute for each client address. */
  readonly perAddress: number;
  /** The field of the body that attempts are counted by, such as an e-mail address. */
  readonly field: string;
  /** Failed attempts per minute for each value of the field, from any address. */
  readonly perValue: number;
}

const FAILURE_LIMIT = Symbol('failure limit');

/** Limits guessing: attempts that end in an error count, successful ones don't. */
export function LimitFailures(limit: FailureLimit): MethodDecorator {
  return SetMetadata(FAILURE_LIMIT, limit);
}

type Attempt = readonly [limiter: RateLimiterAbstract, key: string];

/** Counts each attempt before it is made, so that concurrent ones are limited too; successful ones are taken back. */
@Injectable()
export class FailureLimitInterceptor implements RequestInterceptor {
  private readonly enabled: boolean;
  private readonly logger = new Logger('RateLimit');

  constructor(
    @Inject(settings) { http }: Settings,
    @Inject(rateCounters) private readonly counters: RateCounters,
  ) {
    this.enabled = http.rateLimitPerMinute > 0;
  }

  around(method: RouteMethod): Around | null {
    const limit = Reflect.getMetadata(FAILURE_LIMIT, method) as FailureLimit | undefined;
    if (!this.enabled || !limit) return null;
    const limiter = (by: string, points: number): RateLimiterAbstract =>
      this.counters({ name: `failures:${method.name}:${by}`, points, seconds: WINDOW_SECONDS });
    const byAddress = limiter('address', limit.perAddress);
    const byValue = limiter(limit.field, limit.perValue);
    return async (request, response, next) => {
      const attempts: readonly Attempt[] = [
        [byAddress, clientAddress(request.ip)],
        [byValue, valueKey(request.fields?.[limit.field])],
      ];
      for (const attempt of attempts) await this.count(attempt, response);
      const result = await next();
      await this.takeBack(attempts);
      return result;
    };
  }

  private async count([limiter, key]: Attempt, response: Response): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (refusedOrFailed) {
      if (refusedOrFailed instanceof RateLimiterRes) {
        refuse(response, Math.max(1, Math.ceil(refusedOrFailed.msBeforeNext / 1000)));
      }
      this.logger.warn({ err: refusedOrFailed }, 'failed attempts can not be counted');
    }
  }

  private async takeBack(attempts: readonly Attempt[]): Promise<void> {
    try {
      for (const [limiter, key] of attempts) await limiter.reward(key);
    } catch (error) {
      this.logger.warn({ err: error }, 'an attempt that succeeded stays counted');
    }
  }
}

/** Case and surrounding blanks make no difference: people write one address in several ways. */
function valueKey(value: unknown): string {
  return hashed(typeof value === 'string' ? value.trim().toLowerCase() : '');
}
