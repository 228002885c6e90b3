import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { DomainError } from '#kernel';
import type { Settings } from '#config';
import type { IssuedToken } from '#identity';
import { settings } from '#wiring';

const NAME = 'x12_session';
/** Methods that change nothing. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];
/** Maximum age of a cookie in browsers. */
const MAX_AGE_MS = 400 * 86_400_000;

interface Cookie {
  readonly name: string;
  readonly value: string;
}

/** The cookies of a request, in their order; a name can occur twice. */
export function cookiesOf({ cookie = '' }: Request['headers']): readonly Cookie[] {
  return cookie.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return { name, value: value.join('=') };
  });
}

/** The cookie with which browsers send a token that no script can read. */
@Injectable()
export class SessionCookie {
  readonly #origin: string;
  readonly #name: string;
  readonly #options: CookieOptions;

  constructor(@Inject(settings) { http }: Settings) {
    const { origin, protocol } = new URL(http.publicUrl);
    const secure = protocol === 'https:';
    this.#origin = origin;
    // Browsers take a cookie with this prefix only from this host, over https.
    this.#name = secure ? `__Host-${NAME}` : NAME;
    this.#options = { httpOnly: true, sameSite: 'strict', secure, path: '/' };
  }

  /** The token in the cookie; `null` without a cookie, or with two, as another site may have planted one. */
  tokenOf({ headers }: Request): string | null {
    const own = cookiesOf(headers).filter(({ name }) => name === this.#name);
    return own.length === 1 ? own[0]!.value : null;
  }

  set(response: Response, { secret, expiresAt }: IssuedToken): void {
    const until = expiresAt ? { expires: expiresAt } : { maxAge: MAX_AGE_MS };
    response.cookie(this.#name, secret, { ...this.#options, ...until });
  }

  clear(response: Response): void {
    response.clearCookie(this.#name, this.#options);
  }

  /**
   * Browsers send cookies with requests of other sites' pages too, and always name the origin of a page that changes
   * something.
   *
   * @throws DomainError `forbidden` if a request by cookie may change something and no page of this service sent it
   */
  requireOwnPage({ method, headers }: Request): void {
    if (SAFE_METHODS.includes(method) || headers.origin === this.#origin) return;
    throw new DomainError('forbidden', `with a session cookie, send this from a page of ${this.#origin}`);
  }
}

/** Guards a public route that sets the cookie: otherwise any page could sign its visitor in as another user. */
@Injectable()
export class OwnPage implements CanActivate {
  constructor(@Inject(SessionCookie) private readonly cookie: SessionCookie) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    // Programs send neither header, and every browser sends an `Origin`.
    if (request.headers.origin !== undefined || this.cookie.tokenOf(request)) this.cookie.requireOwnPage(request);
    return true;
  }
}
