import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { C2paManifests, makeSigner, readSigner } from '#adapters/c2pa';

/** Signs with a new key of that name. Close it at the end. */
export async function signingManifests(name: string): Promise<C2paManifests> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-test-'));
  const [keyFile, certificateFile] = [join(folder, 'key'), join(folder, 'certificates')];
  const made = await makeSigner(name, new Date(), 1);
  await Promise.all([writeFile(keyFile, made.key), writeFile(certificateFile, made.certificates)]);
  const signer = await readSigner({ keyFile, certificateFile }, new Date());
  await rm(folder, { recursive: true });
  return new C2paManifests({ signer: { get: async () => signer }, signs: true, generator: { name, version: '1' } });
}

/** A JPEG with a manifest that states a digital source type, by a signer of that name that nobody trusts. */
export async function signedJpeg(name: string, jpeg: Buffer, digitalSource: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-test-'));
  const [file, target] = [join(folder, 'file'), join(folder, 'signed')];
  await writeFile(file, jpeg);
  const manifests = await signingManifests(name);
  const facts = { digitalSource, title: 'a fox', model: 'vendor', parent: null };
  if (!(await manifests.sign(file, target, 'image/jpeg', facts))) throw new Error('the JPEG is not signed');
  manifests.close();
  const signed = await readFile(target);
  await rm(folder, { recursive: true });
  return signed;
}
