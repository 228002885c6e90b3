import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Settings } from '#config';
import type { TokenSecret } from '#identity';
import type { Share } from '#sharing';
import { settings } from '#wiring';
import { cookiesOf } from '../http/index.ts';

/** Maximum age of a cookie in browsers. */
const MAX_AGE_MS = 400 * 86_400_000;

/** The cookie by which a browser is the same guest of a link again. It is sent to that link alone. */
@Injectable()
export class GuestCookie {
  readonly #secure: boolean;

  constructor(@Inject(settings) { http }: Settings) {
    this.#secure = new URL(http.publicUrl).protocol === 'https:';
  }

  /** `null` without a cookie, or with two, as another site may have planted one. */
  secretOf({ headers }: Request, share: Pick<Share, 'id'>): TokenSecret | null {
    const own = cookiesOf(headers).filter(({ name }) => name === nameOf(share));
    return own.length === 1 ? (own[0]!.value as TokenSecret) : null;
  }

  set(response: Response, share: Pick<Share, 'id' | 'expiresAt'>, path: string, secret: TokenSecret): void {
    const until = share.expiresAt ? { expires: share.expiresAt } : { maxAge: MAX_AGE_MS };
    const options = { httpOnly: true, sameSite: 'lax', secure: this.#secure, path } as const;
    response.cookie(nameOf(share), secret, { ...options, ...until });
  }
}

const nameOf = ({ id }: Pick<Share, 'id'>) => `x12_guest_${id}`;
