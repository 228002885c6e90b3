import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { DomainError, type Sealed, type Sealer } from '#kernel';

/** Keys of 32 bytes in base64; `null` for a key that is not set. */
interface Keys {
  readonly current: string | null;
  readonly previous: string | null;
}

interface Key {
  readonly bytes: Buffer;
  /** Identifies the key without revealing it. */
  readonly id: string;
}

const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Version, id of the key, and nonce, tag and ciphertext in base64url. */
const FORMAT = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;

/** Encrypts secrets with AES-256-GCM. The context is authenticated too. */
export class AesSealer implements Sealer {
  /** @param keys returns the current keys */
  constructor(private readonly keys: () => Keys) {}

  seal(secret: Uint8Array, context: string): Sealed {
    const { current } = this.#keys();
    if (!current) throw unavailable('SECRET_KEY is not set: ask the operator of the service to set it');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce).setAAD(Buffer.from(context));
    const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
    return `v1.${current.id}.${sealed}` as Sealed;
  }

  open(secret: Sealed, context: string): Uint8Array {
    const [, id, content = ''] = FORMAT.exec(secret) ?? [];
    const { current, previous } = this.#keys();
    if (!current) throw unavailable('SECRET_KEY is not set, so encrypted secrets cannot be read');
    const key = [current, previous].find((one) => one?.id === id);
    if (id !== undefined && !key) {
      throw unavailable(`SECRET_KEY is another one (${current.id}) than the key that encrypted this secret (${id})`);
    }
    try {
      return decrypt(key!, Buffer.from(content, 'base64url'), context);
    } catch (cause) {
      throw unavailable('an encrypted secret is damaged', cause);
    }
  }

  isCurrent(secret: Sealed): boolean {
    return FORMAT.exec(secret)?.[1] === this.#keys().current?.id;
  }

  #keys(): { readonly current: Key | null; readonly previous: Key | null } {
    const { current, previous } = this.keys();
    return { current: keyOf(current), previous: keyOf(previous) };
  }
}

function decrypt({ bytes }: Key, sealed: Buffer, context: string): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', bytes, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/** Derives a key for sealing, so that SECRET_KEY can also serve other purposes. */
function keyOf(text: string | null): Key | null {
  if (text === null) return null;
  const derived = Buffer.from(
    hkdfSync('sha256', Buffer.from(text, 'base64'), '', 'x12 sealing', KEY_BYTES + KEY_ID_BYTES),
  );
  return { bytes: derived.subarray(0, KEY_BYTES), id: derived.subarray(KEY_BYTES).toString('hex') };
}

function unavailable(message: string, cause?: unknown): DomainError {
  return new DomainError('unavailable', message, { cause });
}
