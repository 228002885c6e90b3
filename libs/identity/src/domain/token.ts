import { DomainError, invalidField, type CustomData } from '#kernel';
import { scopesWithin, type Scope } from './scopes.ts';

declare const secret: unique symbol;
declare const hash: unique symbol;

/** The secret that a caller sends: `x12_` and 256 random bits. It is shown once and never stored. */
export type TokenSecret = string & { readonly [secret]: true };

/** SHA-256 of a token's secret, in hexadecimal. It is stored instead of the secret. */
export type TokenHash = string & { readonly [hash]: true };

/**
 * The kind of a token that its user lists: created by name for a program, issued after a password login, or opened with
 * another token, on behalf of which it acts.
 */
export const TOKEN_KINDS = ['api', 'log_in', 'session'] as const;
/** Further kinds: a grant to an application, which lets nobody in by itself, and what the application acts with. */
export const GRANT_KINDS = ['grant', 'access'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number] | (typeof GRANT_KINDS)[number];

/** A session counts as a new sign-in for this long. */
export const FRESH_SESSION_MINUTES = 10;

/**
 * Reports whether the token is that of a session which its user opened in the last ten minutes. API tokens never are.
 */
export function isFreshSession({ kind, createdAt }: Pick<Token, 'kind' | 'createdAt'>, now: Date): boolean {
  return kind === 'log_in' && now.getTime() - createdAt.getTime() <= FRESH_SESSION_MINUTES * 60_000;
}

/** Limits of the use of a token. */
export interface TokenLimits {
  /** `null` for all. */
  readonly scopes: readonly Scope[] | null;
  /** Credits that it may spend in a calendar month (UTC); `null` for no limit of its own. */
  readonly monthlyCredits: number | null;
  /** The customer that each of its calls is made for; `null` for any. */
  readonly customer: string | null;
}

/** The budget of a token. */
export interface TokenBudget {
  readonly tokenId: number;
  readonly monthlyCredits: number;
}

export const MAX_MONTHLY_CREDITS = 1_000_000_000;

/** The limits of a token without any, as of one that is issued after a password log-in. */
export const NO_LIMITS: TokenLimits = { scopes: null, monthlyCredits: null, customer: null };

/** An API token as its owner sees it in a list. */
export interface Token extends TokenLimits {
  readonly id: number;
  readonly name: string;
  readonly kind: TokenKind;
  readonly createdAt: Date;
  /** Precise to a minute; `null` when it was never used. */
  readonly lastUsedAt: Date | null;
  /** `null` for a token that does not expire. */
  readonly expiresAt: Date | null;
}

/** A new token with its secret. */
export interface IssuedToken extends Token {
  readonly secret: TokenSecret;
}

export const TOKEN_BYTES = 32;
export const MAX_TOKEN_DAYS = 3650;

/** Identifies a token for people and secret scanners. */
const PREFIX = 'x12_';
const SECRET = /^x12_[A-Za-z0-9_-]{43}$/;

/** @param random `TOKEN_BYTES` random bytes in base64url */
export function tokenSecretOf(random: string): TokenSecret {
  return `${PREFIX}${random}` as TokenSecret;
}

/** Reports whether the text has the format of a secret. Other texts need no look-up. */
export function isTokenSecret(text: string): text is TokenSecret {
  return SECRET.test(text);
}

/**
 * The expiry of a token; `null` for a token that does not expire.
 *
 * @param days 1..3650, or `null`
 * @throws DomainError `validation_failed`
 */
export function tokenExpiry(createdAt: Date, days: number | null): Date | null {
  if (days === null) return null;
  if (!Number.isInteger(days) || days < 1 || days > MAX_TOKEN_DAYS) {
    throw invalidField('expires_in_days', `must be an integer from 1 to ${MAX_TOKEN_DAYS}`);
  }
  return new Date(createdAt.getTime() + days * 86_400_000);
}

/**
 * The parent of a new API token: the token that it was made with. It ends with its parent, so that revoking a leaked
 * token also ends all tokens made with it. Tokens made after a password login have no parent.
 *
 * @param maker the caller's token; for a session, the token on behalf of which it acts
 */
export function parentOf(maker: Token): Token | null {
  return maker.kind === 'log_in' ? null : maker;
}

/**
 * The limits of a new token: those asked for, or where nothing is asked for, those of its maker.
 *
 * @throws DomainError `insufficient_scope`, `validation_failed`, `forbidden` when they exceed those of the maker
 */
export function limitsWithin(maker: TokenLimits, asked: TokenLimits): TokenLimits {
  const most = maker.monthlyCredits;
  const monthlyCredits = asked.monthlyCredits ?? most;
  if (most !== null && monthlyCredits! > most) {
    throw invalidField('monthly_credits', `must be at most ${most}, the budget of the token that makes it`);
  }
  const customer = customerFor(maker, asked.customer);
  return { scopes: scopesWithin(maker.scopes, asked.scopes), monthlyCredits, customer };
}

/**
 * The customer of a call: the one asked for, or else the one that the token is bound to.
 *
 * @throws DomainError `forbidden` when the token is bound to another
 */
export function customerFor({ customer }: Pick<TokenLimits, 'customer'>, asked: string | null): string | null {
  if (customer === null || asked === null || asked === customer) return asked ?? customer;
  throw new DomainError('forbidden', 'the API token is bound to another customer');
}

/** The customer that a list is filtered by; undefined for all. @throws DomainError as `customerFor` */
export function customerFilterFor(token: Pick<TokenLimits, 'customer'>, asked: string | undefined) {
  return asked === undefined ? asked : (customerFor(token, asked) ?? undefined);
}

/** The custom data of a call, with the customer that the token is bound to. @throws DomainError as `customerFor` */
export function customDataFor(token: Pick<TokenLimits, 'customer'>, { customer, metadata }: CustomData): CustomData {
  return { customer: customerFor(token, customer), metadata };
}

/**
 * The changes of an object's custom data by a call; fields that are absent stay as they are.
 *
 * @throws DomainError `forbidden` when they give the object another customer than the token's, or none
 */
export function customChangesFor(
  token: Pick<TokenLimits, 'customer'>,
  changes: Partial<CustomData>,
): Partial<CustomData> {
  const { customer, metadata } = changes;
  if (customer === null && token.customer !== null) {
    throw new DomainError('forbidden', 'the API token is bound to a customer');
  }
  return { customer: customer === undefined ? customer : customerFor(token, customer), metadata };
}

/** The earlier of two expiries; `null` if both are `null`. */
export function earlierExpiry(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
