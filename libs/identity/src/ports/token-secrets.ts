import type { TokenHash, TokenSecret } from '../domain/token.ts';

/** Where the secrets of tokens come from. */
export interface TokenSecrets {
  /** A new secret, of 256 bits from a source that can't be predicted. */
  create(): TokenSecret;

  /** The same hash for the same secret, always. */
  hash(secret: TokenSecret): TokenHash;
}
