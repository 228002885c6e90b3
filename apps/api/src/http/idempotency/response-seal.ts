import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { slowFunctions } from '#adapters/secrets';
import { Semaphore } from '#kernel';

const deriveSlowly = promisify<string, string, number, Buffer>(scrypt);

/** One at a time: a burst of keys would otherwise take all turns before the first password is hashed. */
const deriving = new Semaphore(1, 100);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts stored responses, which may hold tokens, so that the database can't read them. The key is derived from what the
 * caller sends with each request.
 */
export class ResponseSeal {
  readonly #sealing: Buffer;
  readonly #hashing: Buffer;

  /** @param secret of enough entropy, such as the caller's token */
  constructor(secret: string | Buffer, key: string) {
    const derived = Buffer.from(hkdfSync('sha256', secret, key, 'x12 idempotency', 64));
    this.#sealing = derived.subarray(0, 32);
    this.#hashing = derived.subarray(32);
  }

  /** The seal of a caller without a token. The body may hold a password, so a slow function prevents guessing it. */
  static async ofBody(body: string, key: string): Promise<ResponseSeal> {
    return new ResponseSeal(await deriving.on(1, () => slowFunctions.on(1, () => deriveSlowly(body, key, 32))), key);
  }

  /** Distinguishes requests without revealing their content. */
  hashOf(request: string): Buffer {
    return createHmac('sha256', this.#hashing).update(request).digest();
  }

  seal(text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealing, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Uint8Array): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#sealing, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  }
}
