import { Inject, Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '#config';
import { SIGN_IN_ATTEMPT_MINUTES, type StartedAttempt } from '#identity';
import { DomainError } from '#kernel';
import { type RateCounters, rateCounters, settings } from '#wiring';
import { cookiesOf, hashed } from '../http/index.ts';

/**
 * Maximum attempts: of more, the oldest are not told apart. All are removed, so that no page can fill the headers with
 * attempts.
 */
const MAX_ATTEMPTS = 5;

/**
 * The sign-ins that a browser has begun: each has a cookie of its own, so that two tabs do not disturb each other. Browsers
 * send it with the navigation by which the issuer comes back, which is from another site.
 */
@Injectable()
export class AttemptCookies {
  readonly #prefix: string;
  readonly #options: CookieOptions;
  /** Counts the use of attempts, for all processes: each is used once. */
  readonly #uses: RateLimiterAbstract;

  constructor(@Inject(settings) { http }: Settings, @Inject(rateCounters) counters: RateCounters) {
    const secure = new URL(http.publicUrl).protocol === 'https:';
    this.#prefix = `${secure ? '__Host-' : ''}x12_sso_`;
    this.#uses = counters({ name: 'sign-in-attempt', points: 1, seconds: SIGN_IN_ATTEMPT_MINUTES * 60 });
    this.#options = { httpOnly: true, sameSite: 'lax', secure, path: '/' };
  }

  add(request: Request, response: Response, { state, sealed, expiresAt }: StartedAttempt): void {
    const begun = cookiesOf(request.headers).filter(({ name }) => name.startsWith(this.#prefix));
    if (begun.length >= MAX_ATTEMPTS) for (const { name } of begun) response.clearCookie(name, this.#options);
    response.cookie(this.#prefix + state, sealed, { ...this.#options, expires: expiresAt });
  }

  /**
   * The attempt with this state, which is used up; `null` without one, or with two, as another site may have planted one.
   *
   * @throws DomainError `unavailable` when the use can't be recorded
   */
  async take({ headers }: Request, response: Response, state: string): Promise<string | null> {
    const found = cookiesOf(headers).filter(({ name }) => name === this.#prefix + state);
    if (found.length > 0) response.clearCookie(this.#prefix + state, this.#options);
    return found.length === 1 && (await this.#isFirstUse(state)) ? found[0]!.value : null;
  }

  async #isFirstUse(state: string): Promise<boolean> {
    try {
      await this.#uses.consume(hashed(state));
      return true;
    } catch (usedOrFailed) {
      if (usedOrFailed instanceof RateLimiterRes) return false;
      throw new DomainError('unavailable', 'the sign-in cannot be recorded; try again', { cause: usedOrFailed });
    }
  }
}
