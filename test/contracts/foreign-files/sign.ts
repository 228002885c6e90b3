// Makes the files of this folder that begin with `c2pa`, by another signer's key that is forgotten:
// node --conditions=x12-source --experimental-transform-types test/contracts/foreign-files/sign.ts
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { C2paManifests, makeSigner, readSigner } from '#adapters/c2pa';

const FACTS = {
  digitalSource: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
  title: 'a fox',
  model: 'vendor-1',
  parent: null,
};
const FROM = {
  'magick-comment.jpg': 'image/jpeg',
  'magick-palette-interlaced.png': 'image/png',
  'magick-transparent.webp': 'image/webp',
  'ffmpeg-animated.gif': 'image/gif',
  'ffmpeg-still.avif': 'image/avif',
  'ffmpeg-index-last.mp4': 'video/mp4',
};

const folder = await mkdtemp(join(tmpdir(), 'sign-'));
const [keyFile, certificateFile] = [join(folder, 'key'), join(folder, 'certificates')];
const { key, certificates } = await makeSigner('Vendor', new Date(), 36_500);
await Promise.all([writeFile(keyFile, key), writeFile(certificateFile, certificates)]);
const signer = await readSigner({ keyFile, certificateFile }, new Date());
const manifests = new C2paManifests({
  signer: { get: async () => signer },
  signs: true,
  generator: { name: 'Vendor', version: '1' },
});
for (const [name, type] of Object.entries(FROM)) {
  const target = `c2pa.${name.split('.')[1]}`;
  const [from, to] = [name, target].map((each) => join(import.meta.dirname, each));
  if (!(await manifests.sign(from!, to!, type, FACTS))) throw new Error(`${name} is not signed`);
}
manifests.close();
await rm(folder, { recursive: true });
