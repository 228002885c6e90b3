import { hash, randomBytes } from 'node:crypto';
import { TOKEN_BYTES, tokenSecretOf, type TokenHash, type TokenSecret, type TokenSecrets } from '#identity';

/**
 * Secrets from the operating system's random source, hashed with SHA-256. A slow hash would not add security: 256
 * random bits can't be guessed.
 */
export class RandomTokenSecrets implements TokenSecrets {
  create(): TokenSecret {
    return tokenSecretOf(randomBytes(TOKEN_BYTES).toString('base64url'));
  }

  hash(secret: TokenSecret): TokenHash {
    return hash('sha256', secret) as TokenHash;
  }
}
