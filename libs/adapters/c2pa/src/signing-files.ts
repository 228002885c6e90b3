import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { algorithmOf, type SigningKey } from './cose.ts';

/** The purpose that readers ask of a signer's certificate: `c2pa-kp-claimSigning`. */
export const CLAIM_SIGNING = '1.3.6.1.4.1.62558.2.1';

/** Files of the operator, or of `provenance init`. */
export interface SigningFiles {
  /** PEM (PKCS #8): P-256, P-384 or Ed25519. */
  readonly keyFile: string;
  /** PEM: the signer's certificate first, then those that lead to its root. */
  readonly certificateFile: string;
}

/** Contents of the files. */
export interface Signer {
  readonly key: SigningKey;
  readonly name: string;
  readonly expiresAt: Date;
  /** The last certificate of the chain, in PEM: the operator trusts what it has issued. */
  readonly root: string;
}

/** The files can't be used; the message says why, and contains nothing of the key. */
export class UnusableSigner extends Error {}

/** @throws UnusableSigner */
export async function readSigner({ keyFile, certificateFile }: SigningFiles, now: Date): Promise<Signer> {
  const [keyText, certificateText] = [await contentOf(keyFile), await contentOf(certificateFile)];
  const key = parsed(`${keyFile} is no private key in PEM`, () => createPrivateKey(keyText));
  const blocks = certificateText.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const chain = parsed(`${certificateFile} has no certificates in PEM`, () =>
    blocks.map((pem) => new X509Certificate(pem)),
  );
  const [certificate] = chain;
  if (!certificate) throw new UnusableSigner(`${certificateFile} has no certificate`);
  requireUsable(certificate, key, now);
  const algorithm = algorithmOf(key);
  if (!algorithm) throw new UnusableSigner(`the key is none of P-256, P-384 and Ed25519`);
  return {
    key: { key, algorithm, chain: chain.map(({ raw }) => raw) },
    name: /^CN=(.+)$/m.exec(certificate.subject)?.[1] ?? certificate.subject,
    expiresAt: certificate.validToDate,
    root: chain.at(-1)!.toString(),
  };
}

function requireUsable(certificate: X509Certificate, key: KeyObject, now: Date): void {
  if (!certificate.checkPrivateKey(key)) throw new UnusableSigner('the certificate belongs to another key');
  if (certificate.validFromDate > now) throw new UnusableSigner('the certificate is not valid yet');
  if (certificate.validToDate <= now) throw new UnusableSigner('the certificate has expired');
  if (!certificate.keyUsage?.includes(CLAIM_SIGNING)) {
    throw new UnusableSigner(`the certificate is not for signing claims (extended key usage ${CLAIM_SIGNING})`);
  }
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UnusableSigner(`${file} cannot be read`, { cause: error });
  }
}

function parsed<T>(message: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UnusableSigner(message, { cause: error });
  }
}
