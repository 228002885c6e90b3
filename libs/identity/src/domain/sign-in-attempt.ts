import { invalidField } from '#kernel';
import type { Actor } from './user.ts';

/** Secrets that the service and the issuer agree on at the start of a sign-in. They stay in the browser that began. */
export interface OpenIdChallenge {
  /** Comes back with the issuer's response. */
  readonly state: string;
  /** Comes back in the ID token. */
  readonly nonce: string;
  /** PKCE verifier: proves to the issuer that the client that redeems the code has begun the sign-in. */
  readonly verifier: string;
}

/** A sign-in at the issuer that has begun and not ended. */
export interface SignInAttempt extends OpenIdChallenge {
  /** Path of the console that is shown afterwards. */
  readonly returnTo: string;
  /** The caller whose account gets the identity; `null` for a sign-in. */
  readonly linkTo: Actor | null;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

export const SIGN_IN_ATTEMPT_MINUTES = 10;

/** Context that an attempt is sealed with: another attempt's state does not open it. */
export function attemptContext(state: string): string {
  return `sign-in attempt ${state}`;
}

export const CONSOLE_PATH = '/console';
const MAX_RETURN_TO = 1000;

/**
 * The path of the console to which a sign-in returns, as browsers resolve it.
 *
 * @throws DomainError `validation_failed` for anything else, such as another site
 */
export function returnPathOf(text: string): string {
  const anyOrigin = 'http://console.invalid';
  const isPath = text.length <= MAX_RETURN_TO && /^\/(?!\/)[^\\\s\p{Cc}]*$/u.test(text);
  const url = isPath && URL.canParse(text, anyOrigin) ? new URL(text, anyOrigin) : null;
  const isOfConsole = url?.pathname === CONSOLE_PATH || url?.pathname.startsWith(`${CONSOLE_PATH}/`);
  if (url?.origin !== anyOrigin || !isOfConsole) {
    throw invalidField('return_to', `must be a path of the console, such as ${CONSOLE_PATH}/boards`);
  }
  return `${url.pathname}${url.search}${url.hash}`;
}
