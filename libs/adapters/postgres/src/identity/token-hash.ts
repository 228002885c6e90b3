import type { TokenHash } from '#identity';

/** A hash as it is stored. */
export function bytesOf(hash: TokenHash): Buffer {
  return Buffer.from(hash, 'hex');
}
