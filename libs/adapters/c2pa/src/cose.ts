import { sign, type KeyObject } from 'node:crypto';

/** How a key signs: the name of the algorithm in C2PA, its number in COSE, and the hash for Node. */
export interface Algorithm {
  readonly name: 'es256' | 'es384' | 'ed25519';
  readonly cose: number;
  readonly hash: string | null;
}

export interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
  /** The signer's certificate first, then those that lead to the root; DER. */
  readonly chain: readonly Buffer[];
}

/** The algorithm of a private key; `null` for one that is not supported. */
export function algorithmOf(key: KeyObject): Algorithm | null {
  if (key.asymmetricKeyType === 'ed25519') return { name: 'ed25519', cose: -8, hash: null };
  const curve = key.asymmetricKeyType === 'ec' ? key.asymmetricKeyDetails?.namedCurve : undefined;
  if (curve === 'prime256v1') return { name: 'es256', cose: -7, hash: 'sha256' };
  return curve === 'secp384r1' ? { name: 'es384', cose: -35, hash: 'sha384' } : null;
}

/** Headers of COSE, by their numbers (RFC 9052; RFC 9360). */
const ALG = 1;
const X5CHAIN = 33;
/** Bytes beside the certificates: headers, signature and the least padding. */
const OVERHEAD = 512;

/** The length of the signatures that `coseSign1` makes with this key. */
export function signatureLength({ chain }: Pick<SigningKey, 'chain'>): number {
  return OVERHEAD + chain.reduce((sum, certificate) => sum + certificate.length + 5, 0);
}

/** A detached COSE_Sign1 over `payload`, padded to `signatureLength`. (RFC 9052, 4.2; C2PA 2.2, 13.2.) */
export function coseSign1(payload: Uint8Array, signingKey: SigningKey): Buffer {
  const { key, algorithm, chain } = signingKey;
  const header = mapOf([integer(ALG), integer(algorithm.cose)], [integer(X5CHAIN), list(...chain.map(bytes))]);
  const signed = list(text('Signature1'), bytes(header), bytes(Buffer.alloc(0)), bytes(payload));
  const signature = sign(algorithm.hash, signed, { key, dsaEncoding: 'ieee-p1363' });
  const padded = (pad: number) => {
    const unprotected = mapOf([text('pad'), padding(pad)]);
    return Buffer.concat([COSE_SIGN1, list(bytes(header), unprotected, NULL, bytes(signature))]);
  };
  return padded(signatureLength(signingKey) - padded(0).length);
}

/** Tag 18. */
const COSE_SIGN1 = Buffer.of(0xd2);
const NULL = Buffer.of(0xf6);

// CBOR (RFC 8949, 3): a type in three bits, and a number or length. What is signed has the shortest heads (RFC 9052, 9).
const [UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP] = [0, 1, 2, 3, 4, 5];

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.of((type << 5) | value);
  if (value < 0x100) return Buffer.of((type << 5) | 24, value);
  if (value < 0x1_0000) return Buffer.of((type << 5) | 25, value >> 8, value & 0xff);
  return wideHead(type, value);
}

function wideHead(type: number, value: number): Buffer {
  const buffer = Buffer.alloc(5);
  buffer[0] = (type << 5) | 26;
  buffer.writeUInt32BE(value, 1);
  return buffer;
}

const integer = (value: number) => (value < 0 ? head(NEGATIVE, -1 - value) : head(UNSIGNED, value));
const bytes = (value: Uint8Array) => Buffer.concat([head(BYTES, value.length), value]);
/** A length that always takes four bytes: the padding grows by single bytes. */
const padding = (length: number) => Buffer.concat([wideHead(BYTES, length), Buffer.alloc(length)]);
const text = (value: string) => Buffer.concat([head(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
const list = (...items: readonly Buffer[]) => Buffer.concat([head(ARRAY, items.length), ...items]);
const mapOf = (...entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(MAP, entries.length), ...entries.flat()]);
