import { DomainError, notFound, type Clock } from '#kernel';
import { nameOf } from './domain/name.ts';
import {
  earlierExpiry,
  isTokenSecret,
  parentOf,
  tokenExpiry,
  type IssuedToken,
  type Token,
  type TokenKind,
} from './domain/token.ts';
import type { Actor } from './domain/user.ts';
import type { SessionClient, TokenSecrets, TokenStore } from './ports.ts';

export interface TokenRequest {
  readonly userId: number;
  readonly name: string;
  /** `null` for a token that does not expire. */
  readonly expiresInDays: number | null;
  readonly kind: TokenKind;
  /** A token of the same user: the new token ends with it, and expires no later. */
  readonly parent: Token | null;
  /** Of a session. */
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
   * @throws DomainError `validation_failed`; `unauthenticated` when the caller's token has ended
   */
  async createFor(
    { userId, tokenId }: Pick<Actor, 'userId' | 'tokenId'>,
    request: Pick<TokenRequest, 'name' | 'expiresInDays'>,
  ): Promise<IssuedToken> {
    const maker = await this.tokens.actsFor(tokenId);
    if (!maker) throw new DomainError('unauthenticated', 'the API token has ended');
    return this.create({ ...request, userId, kind: 'api', parent: parentOf(maker) });
  }

  /**
   * @returns the token with its secret, which can't be retrieved later
   * @throws DomainError `validation_failed`; `unauthenticated` when the parent has ended
   */
  async create({ userId, name, expiresInDays, kind, parent, client = null }: TokenRequest): Promise<IssuedToken> {
    const createdAt = this.clock.now();
    const secret = this.secrets.create();
    const token = await this.tokens.add({
      userId,
      name: nameOf(name),
      kind,
      parentId: parent?.id ?? null,
      hash: this.secrets.hash(secret),
      client,
      createdAt,
      expiresAt: earlierExpiry(tokenExpiry(createdAt, expiresInDays), parent?.expiresAt ?? null),
    });
    return { ...token, secret };
  }

  /** Ends a user's own token and its descendants. @throws DomainError `not_found`, for other users' tokens too */
  async revoke(userId: number, tokenId: number): Promise<void> {
    if (!(await this.tokens.revoke(userId, tokenId))) throw notFound('token');
  }
}
