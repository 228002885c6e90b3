import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

/** What the holder of a signed URL may do: PUT so many bytes under this key, until then. */
export interface PutPermission {
  readonly key: string;
  readonly maxBytes: number;
  readonly expiresAt: Date;
}

/** Signs permissions into query strings, and reads them back. */
export class UploadSignatures {
  readonly #secret: KeyObject;

  constructor(secret: string) {
    this.#secret = createSecretKey(Buffer.from(secret));
  }

  /** The query string that goes with a PUT to `key`. */
  sign({ key, maxBytes, expiresAt }: PutPermission): string {
    const expires = String(expiresAt.getTime());
    const signature = this.#signature(key, expires, String(maxBytes)).toString('base64url');
    return `expires=${expires}&max_bytes=${maxBytes}&signature=${signature}`;
  }

  /** The permission that a query string gives for `key`, unless it was not signed here or its time is over. */
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
    return createHmac('sha256', this.#secret)
      .update(`PUT\n${key}\nstaged upload\n${expires}\n${maxBytes}`)
      .digest();
  }
}
