// @tier deep
import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509CertificateGenerator } from '@peculiar/x509';
import sharp from 'sharp';
import type { ManifestFacts } from '#sources';
import { C2paManifests } from './c2pa-manifests.ts';
import { KeptSigner } from './kept-signer.ts';
import { makeSigner } from './make-signer.ts';
import { readSigner, type SigningFiles } from './signing-files.ts';

const FACTS: ManifestFacts = {
  digitalSource: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
  title: 'generation 12',
  model: 'flux',
  parent: null,
};
const generator = { name: 'x12', version: '0' };
const now = new Date();

let folder: string;
let files: SigningFiles;
let manifests: C2paManifests;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'c2pa-'));
  files = { keyFile: join(folder, 'key.pem'), certificateFile: join(folder, 'certificates.pem') };
  const made = await makeSigner('Studio', now, 30);
  await Promise.all([writeFile(files.keyFile, made.key), writeFile(files.certificateFile, made.certificates)]);
  const onFailure = (reason: string) => failures.push(reason);
  manifests = new C2paManifests({ signer: keptSigner(), signs: true, generator, onFailure });
});

afterAll(async () => {
  manifests.close();
  await rm(folder, { recursive: true });
});

const refusals: string[] = [];
const failures: string[] = [];
const keptSigner = (changes: Partial<SigningFiles> = {}) =>
  new KeptSigner({ ...files, ...changes }, { now: () => now }, (reason) => refusals.push(reason));

const at = (name: string) => join(folder, name);
const picture = () =>
  sharp({
    create: {
      width: 97,
      height: 61,
      channels: 3,
      background: '#a52',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });

const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const;

async function made(format: (typeof FORMATS)[number], name: string = format): Promise<string> {
  await picture().toFormat(format).toFile(at(name));
  return at(name);
}

describe('a signed picture', () => {
  it.each(FORMATS)('says who signed it, and has the same pixels (%s)', async (format) => {
    const file = await made(format);
    expect(await manifests.sign(file, at('signed'), `image/${format}`, FACTS)).toBe(true);
    const { digitalSource } = FACTS;
    expect(await manifests.find(at('signed'), `image/${format}`)).toEqual({
      signer: 'Studio',
      intact: true,
      trusted: true,
      digitalSource,
    });
    const pixels = (name: string) => sharp(name).raw().toBuffer();
    expect((await pixels(at('signed'))).equals(await pixels(file))).toBe(true);
  });

  it('is not intact once a byte of its pixels has changed', async () => {
    await manifests.sign(await made('png'), at('changed'), 'image/png', FACTS);
    const bytes = await readFile(at('changed'));
    bytes[bytes.length - 40]! ^= 1;
    await writeFile(at('changed'), bytes);
    expect(await manifests.find(at('changed'), 'image/png')).toMatchObject({ signer: 'Studio', intact: false });
  });

  it('is intact, and not trusted, for a reader that does not know the root', async () => {
    await manifests.sign(await made('jpeg'), at('signed'), 'image/jpeg', FACTS);
    const unknown = { get: async () => null };
    const stranger = new C2paManifests({ signer: unknown, signs: false, generator });
    expect(await stranger.find(at('signed'), 'image/jpeg')).toMatchObject({ intact: true, trusted: false });
    stranger.close();
  });

  it('is the parent of a picture that is made from it', async () => {
    await manifests.sign(await made('jpeg'), at('parent'), 'image/jpeg', FACTS);
    await sharp(at('parent')).resize(40).webp().toFile(at('small'));
    const parent = { file: at('parent'), contentType: 'image/jpeg' };
    expect(await manifests.sign(at('small'), at('derived'), 'image/webp', { ...FACTS, parent })).toBe(true);
    expect(await manifests.find(at('derived'), 'image/webp')).toMatchObject({ intact: true, trusted: true });
    expect((await readFile(at('derived'))).includes('c2pa.opened')).toBe(true);
  });
});

describe('a file that cannot be signed', () => {
  it.each([
    ['its type takes no manifest', 'model/gltf-binary', Buffer.from('glTF')],
    ['it is cut off', 'image/jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['it lies about its type', 'image/png', Buffer.from('GIF89a')],
    ['it is empty', 'image/webp', Buffer.alloc(0)],
  ])('is left as it is, and the operator is told of those that take a manifest: %s', async (_, contentType, bytes) => {
    await writeFile(at('odd'), bytes);
    failures.length = 0;
    expect(await manifests.sign(at('odd'), at('none'), contentType, FACTS)).toBe(false);
    const isPicture = contentType.startsWith('image/');
    expect(failures).toEqual(isPicture ? [expect.stringMatching(/\w{3}/)] : []);
    await expect(readFile(at('none'))).rejects.toThrow('ENOENT');
    expect(await manifests.find(at('odd'), contentType)).toBeNull();
    expect(await readFile(at('odd'))).toEqual(bytes);
  });

  it('is any, without a usable key, and the operator is told why', async () => {
    const signer = keptSigner({ keyFile: at('missing.pem') });
    const unsigned = new C2paManifests({ signer, signs: true, generator });
    expect(await unsigned.sign(await made('png'), at('none'), 'image/png', FACTS)).toBe(false);
    expect(refusals).toEqual([expect.stringContaining('missing.pem cannot be read')]);
  });
});

it('signs for many callers at once', async () => {
  const file = await made('jpeg', 'shared');
  const names = Array.from({ length: 8 }, (_, index) => at(`one-${index}`));
  const all = await Promise.all(names.map((name) => manifests.sign(file, name, 'image/jpeg', FACTS)));
  expect(all).toEqual(names.map(() => true));
  for (const name of names) expect(await manifests.find(name, 'image/jpeg')).toMatchObject({ intact: true });
});

describe('a signer', () => {
  const used = (changes: Partial<SigningFiles>, at = now) => readSigner({ ...files, ...changes }, at);
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

  it('can be used until its certificate expires', async () => {
    await expect(used({}, days(29))).resolves.toMatchObject({ name: 'Studio' });
    await expect(used({}, days(31))).rejects.toThrow('has expired');
  });

  it('cannot be used with the certificate of another key', async () => {
    await writeFile(at('other.pem'), (await makeSigner('Other', now, 30)).key);
    await expect(used({ keyFile: at('other.pem') })).rejects.toThrow('belongs to another key');
  });

  it('cannot be used without one of its files, and says which', async () => {
    await expect(used({ keyFile: at('missing.pem') })).rejects.toThrow('missing.pem cannot be read');
    await copyFile(files.keyFile, at('mistaken.pem'));
    await expect(used({ certificateFile: at('mistaken.pem') })).rejects.toThrow('has no certificate');
    await expect(used({ keyFile: files.certificateFile })).rejects.toThrow('is no private key');
  });

  it('cannot be used with a certificate that is not for claims', async () => {
    const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=Mail', keys }, webcrypto);
    const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
    await Promise.all([writeFile(at('mail-key.pem'), key), writeFile(at('mail.pem'), certificate.toString('pem'))]);
    await expect(used({ keyFile: at('mail-key.pem'), certificateFile: at('mail.pem') }, new Date())).rejects.toThrow(
      'is not for signing claims',
    );
  });
});
