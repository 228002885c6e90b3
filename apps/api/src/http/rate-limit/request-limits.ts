import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import type { Settings } from '#config';
import { type RateCounters, rateCounters, settings } from '#wiring';
import { type ApiRequest, clientAddress } from '../request.ts';
import { type Allowance, LeasedLimit } from './leased-limit.ts';

export const WINDOW_SECONDS = 60;

/** A public route without a rate limit, such as the files of the disk storage or health checks. */
export const Unlimited = Reflector.createDecorator<void, true>({ transform: () => true });

/** The limit of requests per minute for each token, and for each address of callers without one. */
@Injectable()
export class RequestLimits {
  readonly #byToken: LeasedLimit | null = null;
  readonly #byAddress: LeasedLimit | null = null;
  readonly #signUps: LeasedLimit | null = null;
  readonly #logger = new Logger('RateLimit');

  constructor(@Inject(settings) { http }: Settings, @Inject(rateCounters) counters: RateCounters) {
    const { rateLimitPerMinute: points, signUpsPerMinute } = http;
    if (points === 0) return;
    const limitOf = (name: string, perMinute: number) =>
      new LeasedLimit(counters({ name, points: perMinute, seconds: WINDOW_SECONDS }));
    this.#byToken = limitOf('token', points);
    this.#byAddress = limitOf('address', points);
    this.#signUps = signUpsPerMinute === 0 ? null : limitOf('sign-ups', signUpsPerMinute);
  }

  /** The key that a token's requests are counted by. */
  keyOf(token: string): string {
    return this.#byToken ? hashed(token) : '';
  }

  /** @throws DomainError `rate_limited` if this process already knows that the token has used up its limit */
  refuseKnown(tokenKey: string, response: Response): void {
    const refusal = this.#byToken?.refusal(tokenKey);
    if (refusal) apply(refusal, 'token', response);
  }

  /** @throws DomainError `rate_limited` */
  async countToken(tokenKey: string, response: Response): Promise<void> {
    await this.#count(this.#byToken, tokenKey, 'token', response);
  }

  /**
   * Counts a request as several, as it does the work of several. The guard has counted it once.
   *
   * @throws DomainError `rate_limited`
   */
  async countAs(times: number, { token, res }: ApiRequest): Promise<void> {
    const key = this.keyOf(token!);
    for (let time = 1; time < times; time++) await this.countToken(key, res!);
  }

  /** @throws DomainError `rate_limited` */
  async countAddress(request: ApiRequest, response: Response): Promise<void> {
    await this.#count(this.#byAddress, clientAddress(request.ip), 'address', response);
  }

  /** @throws DomainError `rate_limited` */
  async countSignUp(request: ApiRequest, response: Response): Promise<void> {
    await this.#count(this.#signUps, clientAddress(request.ip), 'sign-ups', response);
  }

  async #count(limit: LeasedLimit | null, key: string, policy: string, response: Response): Promise<void> {
    if (!limit) return;
    let allowance: Allowance;
    try {
      allowance = await limit.take(key);
    } catch (error) {
      // Serving without a limit for a while is better than not serving.
      this.#logger.warn({ err: error }, 'the rate limit cannot be counted');
      return;
    }
    apply(allowance, policy, response);
  }
}

/** The key of a secret or personal value: the counters' store must not reveal it. */
export function hashed(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function apply(allowance: Allowance, policy: string, response: Response): void {
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
