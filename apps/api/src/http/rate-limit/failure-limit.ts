import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { SecondFactorRequired } from '#identity';
import { type RateCounters, rateCounters } from '#wiring';
import { requestFields } from '../parameters.ts';
import { type ApiRequest, clientAddress, oncePerRoute } from '../request.ts';
import { hashed, refuse } from './request-limits.ts';

interface FailureLimit {
  /** Routes with the same name count together. */
  readonly name: string;
  /** Failed attempts of an address before it has to wait. */
  readonly perAddress: number;
  /** The field of the body that attempts are counted by, such as an e-mail address. Default: the caller. */
  readonly field?: string | undefined;
  /** Failed attempts of an address for one value of the field before it has to wait. */
  readonly perValue: number;
  /** Which attempts count (default `failures`). */
  readonly counts?: 'failures' | 'all';
}

/** Failures expire this long after the first. */
export const FAILURES_SECONDS = 900;
const MAX_WAIT_SECONDS = 60;

/**
 * The seconds from an attempt to the next one: none up to `free` failures, then doubled by each failure. Nobody is
 * locked out: the wait is at most a minute, and others' failures count only from the same address.
 *
 * @param failures including this attempt, as if it failed
 */
export function waitSeconds(failures: number, free: number): number {
  return failures <= free ? 0 : Math.min(2 ** (failures - free - 1), MAX_WAIT_SECONDS);
}

const FAILURE_LIMIT = Symbol('failure limit');

/** Slows down guessing: attempts that end in an error count, successful ones only if the limit says so. */
export function LimitFailures(limit: FailureLimit): MethodDecorator {
  return applyDecorators(SetMetadata(FAILURE_LIMIT, limit), UseInterceptors(FailureLimitInterceptor));
}

/** Failed attempts by one kind of key, and the waits between them. */
interface Limit {
  readonly free: number;
  readonly failures: RateLimiterAbstract;
  readonly waits: RateLimiterAbstract;
}

type Attempt = readonly [limit: Limit, key: string];

/** Counts each attempt before it is made, so that concurrent attempts wait too; successful attempts are subtracted. */
@Injectable()
export class FailureLimitInterceptor implements NestInterceptor {
  readonly #logger = new Logger('RateLimit');
  readonly #limitsOf = oncePerRoute((context) => {
    const limit = Reflect.getMetadata(FAILURE_LIMIT, context.getHandler()) as FailureLimit;
    return {
      field: limit.field,
      countsAll: limit.counts === 'all',
      byAddress: this.#limit(`${limit.name}:address`, limit.perAddress),
      byValue: this.#limit(`${limit.name}:${limit.field ?? 'caller'}`, limit.perValue),
    };
  });

  constructor(@Inject(rateCounters) private readonly counters: RateCounters) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.#attempt(context, next));
  }

  async #attempt(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const { field, countsAll, byAddress, byValue } = this.#limitsOf(context);
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const value = field === undefined ? request.actor?.userId : (await requestFields(context))[field];
    const address = clientAddress(request.ip);
    const attempts: readonly Attempt[] = [
      [byAddress, address],
      // Such as a log-in by code, which names no e-mail.
      ...(value === undefined ? [] : [[byValue, hashed(`${address} ${valueOf(value)}`)] as const]),
    ];
    await this.#count(attempts, http.getResponse<Response>());
    try {
      const result = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (!countsAll) await this.#takeBack(attempts, true);
      return result;
    } catch (error) {
      // The password was right: only the code is missing.
      if (error instanceof SecondFactorRequired && !error.isAfterWrongCode) await this.#takeBack(attempts, true);
      throw error;
    }
  }

  #limit(name: string, free: number): Limit {
    const failures = this.counters({ name: `failures:${name}`, points: 1_000_000, seconds: FAILURES_SECONDS });
    const waits = this.counters({ name: `waits:${name}`, points: 1, seconds: MAX_WAIT_SECONDS });
    return { free, failures, waits };
  }

  async #count(attempts: readonly Attempt[], response: Response): Promise<void> {
    const counted: Attempt[] = [];
    try {
      for (const attempt of attempts) {
        const [{ free, failures, waits }, key] = attempt;
        const { consumedPoints } = await failures.consume(key);
        counted.push(attempt);
        const wait = waitSeconds(consumedPoints, free);
        // One of concurrent attempts begins the wait, and the others are refused.
        if (wait > 0) await waits.consume(key, 1, { customDuration: wait });
      }
    } catch (refusedOrFailed) {
      if (refusedOrFailed instanceof RateLimiterRes) {
        await this.#takeBack(counted);
        refuse(response, Math.max(1, Math.ceil(refusedOrFailed.msBeforeNext / 1000)));
      }
      this.#logger.warn({ err: refusedOrFailed }, 'failed attempts cannot be counted');
    }
  }

  async #takeBack(attempts: readonly Attempt[], succeeded = false): Promise<void> {
    try {
      for (const [{ failures, waits }, key] of attempts) {
        await failures.reward(key);
        if (succeeded) await waits.delete(key);
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'an attempt that is no failure stays counted');
    }
  }
}

/** Case and surrounding blanks make no difference: people write one address in several ways. */
function valueOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
}
