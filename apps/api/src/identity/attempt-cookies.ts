import { Inject, Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import type { Settings } from '#config';
import type { StartedAttempt } from '#identity';
import { settings } from '#wiring';
import { cookiesOf } from '../http/index.ts';

/** With more, the oldest are not told apart: all are removed, so that no page can fill the headers with attempts. */
const MAX_ATTEMPTS = 5;

/**
 * The sign-ins that a browser has begun: each has a cookie of its own, so that two tabs do not disturb each other. Browsers
 * send it with the navigation by which the issuer comes back, which is from another site.
 */
@Injectable()
export class AttemptCookies {
  readonly #prefix: string;
  readonly #options: CookieOptions;

  constructor(@Inject(settings) { http }: Settings) {
    const secure = new URL(http.publicUrl).protocol === 'https:';
    this.#prefix = `${secure ? '__Host-' : ''}x12_sso_`;
    this.#options = { httpOnly: true, sameSite: 'lax', secure, path: '/' };
  }

  add(request: Request, response: Response, { state, sealed, expiresAt }: StartedAttempt): void {
    const begun = cookiesOf(request.headers).filter(({ name }) => name.startsWith(this.#prefix));
    if (begun.length >= MAX_ATTEMPTS) for (const { name } of begun) response.clearCookie(name, this.#options);
    response.cookie(this.#prefix + state, sealed, { ...this.#options, expires: expiresAt });
  }

  /** The attempt with this state, which is removed; `null` without one, or with two, as another site may have planted one. */
  take({ headers }: Request, response: Response, state: string): string | null {
    const found = cookiesOf(headers).filter(({ name }) => name === this.#prefix + state);
    if (found.length > 0) response.clearCookie(this.#prefix + state, this.#options);
    return found.length === 1 ? found[0]!.value : null;
  }
}
