import { notFound, type Clock } from '#kernel';
import { nameOf } from './domain/name.ts';
import { earlierExpiry, isTokenSecret, tokenExpiry, type IssuedToken, type Token } from './domain/token.ts';
import type { Actor } from './domain/user.ts';
import type { TokenSecrets, TokenStore } from './ports.ts';

export interface TokenRequest {
  readonly userId: number;
  readonly name: string;
  /** `null` for a token that does not expire. */
  readonly expiresInDays: number | null;
  /** A token of the same user, which the new one does not outlast. */
  readonly noLongerThan?: Token;
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
   * @returns the token with its secret, which can't be retrieved later
   * @throws DomainError `validation_failed`
   */
  async create({ userId, name, expiresInDays, noLongerThan }: TokenRequest): Promise<IssuedToken> {
    const createdAt = this.clock.now();
    const secret = this.secrets.create();
    const token = await this.tokens.add({
      userId,
      name: nameOf(name),
      hash: this.secrets.hash(secret),
      createdAt,
      expiresAt: earlierExpiry(tokenExpiry(createdAt, expiresInDays), noLongerThan?.expiresAt ?? null),
    });
    return { ...token, secret };
  }

  /** Ends one of a user's own tokens at once. @throws DomainError `not_found`, for other users' tokens too */
  async revoke(userId: number, tokenId: number): Promise<void> {
    if (!(await this.tokens.revoke(userId, tokenId))) throw notFound('token');
  }
}
