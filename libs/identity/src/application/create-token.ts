import type { Clock } from '#kernel';
import { nameOf } from '../domain/name.ts';
import { tokenExpiry, type IssuedToken } from '../domain/token.ts';
import type { TokenSecrets } from '../ports/token-secrets.ts';
import type { Tokens } from '../ports/tokens.ts';

/** Gives a user a new token. */
export class CreateToken {
  readonly #tokens: Tokens;
  readonly #secrets: TokenSecrets;
  readonly #clock: Clock;

  constructor(tokens: Tokens, secrets: TokenSecrets, clock: Clock) {
    this.#tokens = tokens;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /**
   * @param request.expiresInDays `null` for a token that does not expire
   * @returns the token with its secret, which can't be had again
   * @throws DomainError `validation_failed`
   */
  async run(request: {
    readonly userId: number;
    readonly name: string;
    readonly expiresInDays: number | null;
  }): Promise<IssuedToken> {
    const now = this.#clock.now();
    const secret = this.#secrets.create();
    const token = await this.#tokens.add({
      userId: request.userId,
      name: nameOf(request.name),
      hash: this.#secrets.hash(secret),
      createdAt: now,
      expiresAt: tokenExpiry(now, request.expiresInDays),
    });
    return { ...token, secret };
  }
}
