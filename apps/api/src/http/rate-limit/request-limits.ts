import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import type { Settings } from '#config';
import { settings } from '#wiring';
import type { ApiRequest } from '../api-request.ts';
import { clientAddress } from './client-address.ts';
import { type Allowance, LeasedLimit } from './leased-limit.ts';
import { type RateCounters, rateCounters } from './rate-counters.ts';

const WINDOW_SECONDS = 60;

/** The requests that a token, or an address where there is no token, may make in a minute. */
@Injectable()
export class RequestLimits {
  readonly #byToken: LeasedLimit | null = null;
  readonly #byAddress: LeasedLimit | null = null;
  readonly #logger = new Logger('RateLimit');

  constructor(@Inject(settings) { http }: Settings, @Inject(rateCounters) counters: RateCounters) {
    const points = http.rateLimitPerMinute;
    if (points === 0) return;
    this.#byToken = new LeasedLimit(counters({ name: 'token', points, seconds: WINDOW_SECONDS }));
    this.#byAddress = new LeasedLimit(counters({ name: 'address', points, seconds: WINDOW_SECONDS }));
  }

  /** @throws DomainError `rate_limited` when that is known without asking the counter */
  refuseKnown(token: string, response: Response): void {
    const refusal = this.#byToken?.refusal(tokenKey(token));
    if (refusal) answer(refusal, 'token', response);
  }

  /** @throws DomainError `rate_limited` */
  async countToken(token: string, response: Response): Promise<void> {
    await this.#count(this.#byToken, tokenKey(token), 'token', response);
  }

  /** @throws DomainError `rate_limited` */
  async countAddress(request: ApiRequest, response: Response): Promise<void> {
    await this.#count(this.#byAddress, clientAddress(request.ip), 'address', response);
  }

  async #count(limit: LeasedLimit | null, key: string, policy: string, response: Response): Promise<void> {
    if (!limit) return;
    let allowance: Allowance;
    try {
      allowance = await limit.take(key);
    } catch (error) {
      // Serving without a limit for a while is better than serving nobody.
      this.#logger.warn({ err: error }, 'the rate limit can not be counted');
      return;
    }
    answer(allowance, policy, response);
  }
}

/** The counter never holds a token, nor anything a token could be found from. */
function tokenKey(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function answer(allowance: Allowance, policy: string, response: Response): void {
  const { limit, remaining, resetSeconds } = allowance;
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
  response.setHeader('RateLimit-Policy', `"${policy}";q=${limit};w=${WINDOW_SECONDS}`);
  if (!allowance.allowed) refuse(response, resetSeconds);
}

/** @throws DomainError `rate_limited`, always */
export function refuse(response: Response, retrySeconds: number): never {
  response.setHeader('Retry-After', retrySeconds);
  throw new DomainError('rate_limited', `too many requests; try again in ${retrySeconds} seconds`);
}
