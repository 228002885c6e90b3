import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { FileSignatures } from '#files';

/** Keys in memory; the least recently used is dropped first. */
const MAX_KEYS = 1_000;

/** Signs with keys of workspaces that are derived from one secret. */
export class HmacFileSignatures implements FileSignatures {
  readonly #secret: KeyObject;
  readonly #keys = new Map<string, KeyObject>();

  constructor(secret: string) {
    this.#secret = createSecretKey(Buffer.from(secret));
  }

  sign(workspaceId: number, version: number, text: string): string {
    return this.#digest(workspaceId, version, text).toString('base64url');
  }

  isSignature(workspaceId: number, version: number, text: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#digest(workspaceId, version, text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #digest(workspaceId: number, version: number, text: string): Buffer {
    return createHmac('sha256', this.#keyOf(`files ${workspaceId} ${version}`))
      .update(text)
      .digest();
  }

  #keyOf(name: string): KeyObject {
    const key = this.#keys.get(name) ?? createSecretKey(createHmac('sha256', this.#secret).update(name).digest());
    this.#keys.delete(name);
    this.#keys.set(name, key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS) this.#keys.delete(oldest!);
    return key;
  }
}
