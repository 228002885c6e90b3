import { invalidField } from '#kernel';

declare const secret: unique symbol;
declare const hash: unique symbol;

/** What the holder of a token sends: `x12_` and 256 random bits. Shown once, stored nowhere. */
export type TokenSecret = string & { readonly [secret]: true };

/** SHA-256 of a token's secret, in hexadecimal: what is stored instead of it. */
export type TokenHash = string & { readonly [hash]: true };

/** An API token as its owner sees it in a list. */
export interface Token {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  /** To the minute; `null` when it was never used. */
  readonly lastUsedAt: Date | null;
  /** `null` for a token that does not expire. */
  readonly expiresAt: Date | null;
}

/** A token just made, with the secret that its owner gets to see this once. */
export interface IssuedToken extends Token {
  readonly secret: TokenSecret;
}

export const TOKEN_BYTES = 32;
export const MAX_TOKEN_DAYS = 3650;

/** Lets people and secret scanners tell what it is. */
const PREFIX = 'x12_';
const SECRET = /^x12_[A-Za-z0-9_-]{43}$/;

/** @param random `TOKEN_BYTES` random bytes in base64url */
export function tokenSecretOf(random: string): TokenSecret {
  return `${PREFIX}${random}` as TokenSecret;
}

/** False for everything that can't be a token of this service, so that nobody need look for it. */
export function isTokenSecret(text: string): text is TokenSecret {
  return SECRET.test(text);
}

/**
 * When a token's time is over; `null` for never.
 *
 * @param days 1..3650, or `null` for a token that does not expire
 * @throws DomainError `validation_failed`
 */
export function tokenExpiry(createdAt: Date, days: number | null): Date | null {
  if (days === null) return null;
  if (!Number.isInteger(days) || days < 1 || days > MAX_TOKEN_DAYS) {
    throw invalidField('expires_in_days', `must be an integer from 1 to ${MAX_TOKEN_DAYS}`);
  }
  return new Date(createdAt.getTime() + days * 86_400_000);
}

/** A use is recorded at most this often, so that calling hardly ever writes. */
export const LAST_USE_SECONDS = 60;
