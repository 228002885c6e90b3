import type { Page, PageRequest } from '#kernel';
import type { MachineToken } from '../domain/machine-token.ts';
import type { Token, TokenBudget, TokenHash, TokenKind, TokenLimits, TokenSecret } from '../domain/token.ts';
import type { Actor } from '../domain/user.ts';

/** Where a session was opened. */
export interface SessionClient {
  /** IP address. */
  readonly address: string | null;
  /** The header `User-Agent`. */
  readonly userAgent: string | null;
}

/** A log-in of a user, by password, link or token, as its owner sees it. */
export interface OpenSession extends SessionClient {
  /** Id of the session's token. */
  readonly id: number;
  readonly createdAt: Date;
  /** Precise to a minute. */
  readonly lastUsedAt: Date | null;
}

/** Tokens of the kinds `log_in` and `session`. With `madeWith`, only that token and its descendants are found. */
export interface SessionStore {
  /** The sessions that have not expired at `now`, newest first, with the uses that this process has seen. */
  list(userId: number, now: Date, madeWith?: number | null): Promise<readonly OpenSession[]>;

  /** Ends a session and the tokens made in it. False when the user has no such session. */
  end(userId: number, sessionId: number, madeWith?: number | null): Promise<boolean>;

  /** Ends all sessions of a user, and all API tokens too if `apiTokens`, but for the token `except` and those it was opened with. */
  endAll(
    userId: number,
    options: { readonly except: number | null; readonly apiTokens?: boolean; readonly madeWith?: number | null },
  ): Promise<void>;
}

export interface NewToken extends TokenLimits {
  readonly userId: number;
  readonly name: string;
  readonly kind: TokenKind;
  /** Another token of the user; this token ends with it. */
  readonly parentId: number | null;
  readonly hash: TokenHash;
  /** Client of a session. */
  readonly client?: SessionClient | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The tokens of users, identified by the hash of their secret. */
export interface TokenStore {
  /**
   * Returns the caller of a token, acting in their team if they belong to one, else in their personal workspace.
   * Returns `null` when no token has this hash, or the token has expired at `now`. Waits for no
   * other call. Its use is recorded within a minute.
   */
  authenticate(hash: TokenHash, now: Date): Promise<Actor | null>;

  /** Records the uses of tokens by this process now, such as when it stops. Uses that can't be recorded are lost. */
  recordUses(): Promise<void>;

  /**
   * The callers of these tokens by token id, as `authenticate` finds them at `now`; none for a token that has ended.
   * Joins the surrounding unit of work and records no use.
   *
   * @param options.holdsSuspension holds what `TeamStore.holdSuspension` holds, of each of them; otherwise nothing is locked
   */
  callers(
    tokenIds: readonly number[],
    now: Date,
    options?: { readonly holdsSuspension: boolean },
  ): Promise<ReadonlyMap<number, Actor>>;

  /**
   * Adds a token and deletes the user's tokens that have expired by its creation. A user's first token confirms their
   * account.
   *
   * @throws DomainError `unauthenticated` when the parent has ended
   */
  add(token: NewToken): Promise<Token>;

  find(tokenId: number): Promise<Token | null>;

  /** The budgets that count what is spent with a token: its own, and of all tokens it was made with at any remove. */
  budgets(tokenId: number): Promise<readonly TokenBudget[]>;

  /** The token, or for a session the token at the start of its chain of sessions. */
  actsFor(tokenId: number): Promise<Token | null>;

  /**
   * A user's tokens, including expired ones, newest first; their last use includes unrecorded uses by this process.
   *
   * @param madeWith lists only this token and its descendants; `null` for all, as by default
   */
  list(userId: number, page: PageRequest, madeWith?: number | null): Promise<Page<Token>>;

  /**
   * Deletes a token and its descendants. False when the user has no such token.
   *
   * @param madeWith deletes only this token or one of its descendants; `null` for any, as by default
   */
  revoke(userId: number, tokenId: number, madeWith?: number | null): Promise<boolean>;
}

export interface NewSignInLink {
  readonly userId: number;
  readonly hash: TokenHash;
  /** True if the link is valid only on the machine of the service. */
  readonly isLocal: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface RedeemedLink {
  readonly userId: number;
  /** True if the link is valid only on the machine of the service. */
  readonly isLocal: boolean;
}

/** Sign-in links, identified by the hash of their secret. */
export interface SignInLinkStore {
  /** Adds a link, and deletes all that have expired by its creation. */
  add(link: NewSignInLink): Promise<void>;

  /**
   * Marks a link as used. Of several concurrent calls for one link, one succeeds.
   *
   * @param request.isLocal whether the request comes from the machine of the service; others can't use local links
   * @returns `null` when the link is unknown, used, expired at `now`, or local and the request is not
   */
  redeem(hash: TokenHash, request: { readonly isLocal: boolean; readonly now: Date }): Promise<RedeemedLink | null>;
}

/** The source of token secrets. */
export interface TokenSecrets {
  /** A new secret, of 256 bits from a source that can't be predicted. */
  create(): TokenSecret;

  /** The same hash for the same secret, always. */
  hash(secret: TokenSecret): TokenHash;
}

/** The tokens of operators' programs, identified by the hash of their secret. */
export interface MachineTokenStore {
  /** Returns the id. */
  add(token: Omit<MachineToken, 'id' | 'lastUsedAt'> & { readonly hash: TokenHash }): Promise<number>;

  /** `null` when no token has this hash, or the token has expired at `now`. */
  find(hash: TokenHash, now: Date): Promise<MachineToken | null>;

  recordUse(id: number, at: Date): Promise<void>;

  /** Newest first, including expired ones. */
  list(page: PageRequest): Promise<Page<MachineToken>>;

  /** False when there is no such token. */
  delete(id: number): Promise<boolean>;
}
