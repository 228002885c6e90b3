import type { Page, PageRequest } from '#kernel';
import type { Actor } from '../domain/actor.ts';
import type { Token, TokenHash } from '../domain/token.ts';

export interface NewToken {
  readonly userId: number;
  readonly name: string;
  readonly hash: TokenHash;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The tokens of users, known by the hash of their secret. */
export interface Tokens {
  /**
   * Who calls with this token, acting in the team they belong to, else in their personal workspace; and
   * records the use, at most once in `LAST_USE_SECONDS`. `null` when no token has this hash, or its time is over
   * at `now`. Needs one round trip, and never waits for another call with the same token.
   */
  authenticate(hash: TokenHash, now: Date): Promise<Actor | null>;

  /**
   * Adds a token; the user's tokens that have expired by then are forgotten. With the first one ever, the user counts
   * as having taken up their account.
   */
  add(token: NewToken): Promise<Token>;

  /** A user's tokens, expired ones included, newest first. */
  list(userId: number, page: PageRequest): Promise<Page<Token>>;

  /** Ends a token at once. False, without effect, when the user has no such token. */
  revoke(userId: number, tokenId: number): Promise<boolean>;
}
