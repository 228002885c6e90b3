import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { SigningLimits } from '#files';

/** The permission of a signed URL: PUTs of up to `maxBytes` to `key` until `expiresAt`. */
export type PutPermission = SigningLimits & { readonly key: string };

/** Signs permissions into query strings and verifies them. */
export class UrlSignatures {
  readonly #secret: KeyObject;

  constructor(secret: string) {
    this.#secret = createSecretKey(Buffer.from(secret));
  }

  /** The query string for a PUT to `key`. */
  signPut({ key, maxBytes, expiresAt }: PutPermission): string {
    const expires = String(expiresAt.getTime());
    const signature = this.#signature('PUT', key, 'staged upload', expires, String(maxBytes)).toString('base64url');
    return `expires=${expires}&max_bytes=${maxBytes}&signature=${signature}`;
  }

  /** The query string for a GET of `key`. */
  signGet(key: string, expiresAt: Date): string {
    const expires = String(expiresAt.getTime());
    return `expires=${expires}&signature=${this.#signature('GET', key, expires).toString('base64url')}`;
  }

  /** The permission of a query string for a PUT to `key`; `null` when the signature is wrong or it has expired. */
  verifyPut(key: string, query: string, now: Date): PutPermission | null {
    const [, expires, maxBytes, signature] =
      /^expires=([0-9]{1,15})&max_bytes=([0-9]{1,16})&signature=([\w-]{43})$/.exec(query) ?? [];
    if (!expires || !maxBytes || !signature) return null;
    if (!isSame(this.#signature('PUT', key, 'staged upload', expires, maxBytes), signature)) return null;
    const expiresAt = new Date(Number(expires));
    return expiresAt > now ? { key, maxBytes: Number(maxBytes), expiresAt } : null;
  }

  /** Reports whether a query string permits a GET of `key` now. */
  verifyGet(key: string, query: string, now: Date): boolean {
    const [, expires, signature] = /^expires=([0-9]{1,15})&signature=([\w-]{43})$/.exec(query) ?? [];
    if (!expires || !signature || new Date(Number(expires)) <= now) return false;
    return isSame(this.#signature('GET', key, expires), signature);
  }

  #signature(...parts: readonly string[]): Buffer {
    return createHmac('sha256', this.#secret).update(parts.join('\n')).digest();
  }
}

function isSame(expected: Buffer, signature: string): boolean {
  return timingSafeEqual(expected, Buffer.from(signature, 'base64url'));
}
