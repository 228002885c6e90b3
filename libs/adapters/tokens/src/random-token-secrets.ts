import { createHash, randomBytes } from 'node:crypto';
import { TOKEN_BYTES, tokenSecretOf, type TokenHash, type TokenSecret, type TokenSecrets } from '#identity';

/**
 * Secrets from the operating system's random source, hashed with SHA-256: with so much randomness in them there
 * is nothing that a slow hash could protect.
 */
export class RandomTokenSecrets implements TokenSecrets {
  create(): TokenSecret {
    return tokenSecretOf(randomBytes(TOKEN_BYTES).toString('base64url'));
  }

  hash(secret: TokenSecret): TokenHash {
    return createHash('sha256').update(secret).digest('hex') as TokenHash;
  }
}
