export { C2paManifests } from './c2pa-manifests.ts';
export { KeptSigner } from './kept-signer.ts';
export { makeSigner } from './make-signer.ts';
export { readSigner, UnusableSigner, type Signer, type SigningFiles } from './signing-files.ts';
