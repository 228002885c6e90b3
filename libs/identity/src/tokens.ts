import { DomainError, notFound, type Clock, type Page, type PageRequest } from '#kernel';
import { nameOf } from './domain/name.ts';
import {
  earlierExpiry,
  isTokenSecret,
  limitsWithin,
  NO_LIMITS,
  parentOf,
  tokenExpiry,
  type IssuedToken,
  type Token,
  type TokenKind,
  type TokenLimits,
} from './domain/token.ts';
import type { Actor } from './domain/user.ts';
import type { SessionClient, TokenSecrets, TokenStore } from './ports.ts';

export interface TokenRequest {
  readonly userId: number;
  readonly name: string;
  /** `null` for a token that does not expire. */
  readonly expiresInDays: number | null;
  readonly kind: TokenKind;
  /** By default those of the parent, or none. */
  readonly limits?: TokenLimits;
  /** A token of the same user: the new token ends with it, and its limits and expiry do not exceed those of it. */
  readonly parent: Token | null;
  /** Client of a session. */
  readonly client?: SessionClient | null;
}

export class Tokens {
  constructor(
    private readonly tokens: TokenStore,
    private readonly secrets: TokenSecrets,
    private readonly clock: Clock,
  ) {}

  /** Returns the caller; `null` when the token is malformed, unknown, expired or revoked. */
  async authenticate(token: string): Promise<Actor | null> {
    if (!isTokenSecret(token)) return null;
    return this.tokens.authenticate(this.secrets.hash(token), this.clock.now());
  }

  /** The token with this secret and its user; `null` when it is malformed, unknown, expired or revoked. */
  async find(secret: string): Promise<{ readonly actor: Actor; readonly token: Token } | null> {
    const actor = await this.authenticate(secret);
    const token = actor && (await this.tokens.find(actor.tokenId));
    return token && { actor, token };
  }

  /**
   * Creates an API token for a caller. A token made with an API token, or in a session opened with
   * an API token, ends with that API token.
   *
   * @returns the token with its secret, which can't be retrieved later
   * @throws DomainError `validation_failed`; `insufficient_scope`; `unauthenticated` when the caller's token has ended
   */
  async createFor(
    { userId, tokenId }: Pick<Actor, 'userId' | 'tokenId'>,
    request: Pick<TokenRequest, 'name' | 'expiresInDays' | 'limits'>,
  ): Promise<IssuedToken> {
    const maker = await this.#makerOf(tokenId);
    return this.create({ ...request, userId, kind: 'api', parent: parentOf(maker) });
  }

  /**
   * @returns the token with its secret, which can't be retrieved later
   * @throws DomainError `validation_failed`; `insufficient_scope`; `unauthenticated` when the parent has ended
   */
  async create(request: TokenRequest): Promise<IssuedToken> {
    const { userId, name, expiresInDays, kind, parent, limits = NO_LIMITS, client = null } = request;
    const createdAt = this.clock.now();
    const secret = this.secrets.create();
    const token = await this.tokens.add({
      userId,
      name: nameOf(name),
      kind,
      parentId: parent?.id ?? null,
      hash: this.secrets.hash(secret),
      client,
      ...limitsWithin(parent ?? NO_LIMITS, limits),
      createdAt,
      expiresAt: earlierExpiry(tokenExpiry(createdAt, expiresInDays), parent?.expiresAt ?? null),
    });
    return { ...token, secret };
  }

  /** Ends a user's own token and its descendants. @throws DomainError `not_found`, for other users' tokens too */
  async revoke(userId: number, tokenId: number): Promise<void> {
    if (!(await this.tokens.revoke(userId, tokenId))) throw notFound('token');
  }

  /** The caller's tokens. A token with scopes lists only itself and what was made with it. */
  async listFor(actor: Actor, page: PageRequest): Promise<Page<Token>> {
    return this.tokens.list(actor.userId, page, await this.reachOf(actor));
  }

  /** Ends a token that the caller's token lists, and its descendants. @throws DomainError `not_found` */
  async revokeFor(actor: Actor, tokenId: number): Promise<void> {
    if (!(await this.tokens.revoke(actor.userId, tokenId, await this.reachOf(actor)))) throw notFound('token');
  }

  /**
   * The token within whose descendants the caller sees and ends tokens and sessions; `null` for a caller without scopes,
   * who sees all of the user's.
   *
   * @throws DomainError `unauthenticated` when the caller's token has ended
   */
  async reachOf({ tokenId, scopes }: Actor): Promise<number | null> {
    return scopes === null ? null : (await this.#makerOf(tokenId)).id;
  }

  /** The token, or the token with which its session was opened. @throws DomainError `unauthenticated` when it has ended */
  async #makerOf(tokenId: number): Promise<Token> {
    const maker = await this.tokens.actsFor(tokenId);
    if (!maker) throw new DomainError('unauthenticated', 'the API token has ended');
    return maker;
  }
}
