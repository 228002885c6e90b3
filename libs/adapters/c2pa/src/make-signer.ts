import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { CLAIM_SIGNING } from './signing-files.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export interface MadeSigner {
  /** PEM (PKCS #8). */
  readonly key: string;
  /** PEM: the certificate, then its root. */
  readonly certificates: string;
}

/**
 * Makes a key with a certificate of its own root, whose key is forgotten. Readers that do not trust the root verify the
 * signature, and call the signer unknown.
 *
 * @param name shown as the signer
 */
export async function makeSigner(name: string, now: Date, days: number): Promise<MadeSigner> {
  x509.cryptoProvider.set(webcrypto);
  const [rootKeys, keys] = [await newKeys(), await newKeys()];
  const validity = { notBefore: now, notAfter: new Date(now.getTime() + days * DAY_MS), signingAlgorithm: ALGORITHM };
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serialNumber(),
    name: [{ CN: [`${name} root`] }, { O: [name] }],
    keys: rootKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    serialNumber: serialNumber(),
    subject: [{ CN: [name] }, { O: [name] }],
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([CLAIM_SIGNING], true),
      await x509.AuthorityKeyIdentifierExtension.create(root.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    key: `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n`,
    certificates: `${certificate.toString('pem')}\n${root.toString('pem')}\n`,
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** A positive number of 127 bits, in hexadecimal. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0]! &= 0x7f;
  bytes[0]! |= 0x40;
  return bytes.toString('hex');
}
