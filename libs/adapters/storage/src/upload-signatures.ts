import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { SigningLimits } from '#files';

/** The permission of a signed URL: PUTs of up to `maxBytes` to `key` until `expiresAt`. */
export type PutPermission = SigningLimits & { readonly key: string };

/** Signs permissions into query strings and verifies them. */
export class UploadSignatures {
  readonly #secret: KeyObject;

  constructor(secret: string) {
    this.#secret = createSecretKey(Buffer.from(secret));
  }

  /** The query string for a PUT to `key`. */
  sign({ key, maxBytes, expiresAt }: PutPermission): string {
    const expires = String(expiresAt.getTime());
    const signature = this.#signature(key, expires, String(maxBytes)).toString('base64url');
    return `expires=${expires}&max_bytes=${maxBytes}&signature=${signature}`;
  }

  /** The permission of a query string for `key`; `null` when the signature is wrong or it has expired. */
  verify(key: string, query: string, now: Date): PutPermission | null {
    const [, expires, maxBytes, signature] =
      /^expires=([0-9]{1,15})&max_bytes=([0-9]{1,16})&signature=([\w-]{43})$/.exec(query) ?? [];
    if (!expires || !maxBytes || !signature) return null;
    const expected = this.#signature(key, expires, maxBytes);
    if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url'))) return null;
    const expiresAt = new Date(Number(expires));
    return expiresAt > now ? { key, maxBytes: Number(maxBytes), expiresAt } : null;
  }

  #signature(key: string, expires: string, maxBytes: string): Buffer {
    return createHmac('sha256', this.#secret).update(`PUT\n${key}\nstaged upload\n${expires}\n${maxBytes}`).digest();
  }
}
