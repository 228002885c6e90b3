import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const deriveSlowly = promisify<string, string, number, Buffer>(scrypt);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What only the caller can open: the database keeps their answers, tokens among them, without being able to read
 * them. The key comes from what the caller sends each time.
 */
export class ResponseSeal {
  readonly #sealing: Buffer;
  readonly #hashing: Buffer;

  private constructor(secret: string | Buffer, key: string) {
    const derived = Buffer.from(hkdfSync('sha256', secret, key, 'x12 idempotency', 64));
    this.#sealing = derived.subarray(0, 32);
    this.#hashing = derived.subarray(32);
  }

  /** The seal of a caller with a token, which has entropy enough. */
  static ofToken(token: string, key: string): ResponseSeal {
    return new ResponseSeal(token, key);
  }

  /** The seal of a caller without one. The body may hold a password, so that guessing bodies is made slow. */
  static async ofBody(body: string, key: string): Promise<ResponseSeal> {
    return new ResponseSeal(await deriveSlowly(body, key, 32), key);
  }

  /** Tells requests apart, and what they hold to nobody. */
  hashOf(request: string): Buffer {
    return createHmac('sha256', this.#hashing).update(request).digest();
  }

  seal(answer: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce);
    const sealed = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  }
}
