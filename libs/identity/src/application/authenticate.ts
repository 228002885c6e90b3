import type { Clock } from '#kernel';
import type { Actor } from '../domain/actor.ts';
import { isTokenSecret } from '../domain/token.ts';
import type { TokenSecrets } from '../ports/token-secrets.ts';
import type { Tokens } from '../ports/tokens.ts';

/** Finds out who calls, from the token they send. */
export class Authenticate {
  readonly #tokens: Tokens;
  readonly #secrets: TokenSecrets;
  readonly #clock: Clock;

  constructor(tokens: Tokens, secrets: TokenSecrets, clock: Clock) {
    this.#tokens = tokens;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** `null` when the token is malformed, unknown, expired or revoked. */
  async run(token: string): Promise<Actor | null> {
    if (!isTokenSecret(token)) return null;
    return this.#tokens.authenticate(this.#secrets.hash(token), this.#clock.now());
  }
}
