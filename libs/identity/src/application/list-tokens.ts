import type { Page, PageRequest } from '#kernel';
import type { Actor } from '../domain/actor.ts';
import type { Token } from '../domain/token.ts';
import type { Tokens } from '../ports/tokens.ts';

/** Shows callers their own tokens, newest first. */
export class ListTokens {
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  async run(actor: Actor, page: PageRequest): Promise<Page<Token>> {
    return this.#tokens.list(actor.userId, page);
  }
}
