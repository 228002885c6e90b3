import { notFound } from '#kernel';
import type { Actor } from '../domain/actor.ts';
import type { Tokens } from '../ports/tokens.ts';

/** Ends one of the caller's own tokens, from the next request on. */
export class RevokeToken {
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** @throws DomainError `not_found`, for other people's tokens too */
  async run(actor: Actor, tokenId: number): Promise<void> {
    if (!(await this.#tokens.revoke(actor.userId, tokenId))) throw notFound('token');
  }
}
