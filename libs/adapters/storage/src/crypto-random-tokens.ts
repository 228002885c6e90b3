import { randomBytes } from 'node:crypto';
import type { RandomTokens } from '#files';

/** Tokens from the operating system's random source. */
export class CryptoRandomTokens implements RandomTokens {
  next(): string {
    return randomBytes(18).toString('base64url');
  }
}
