import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { C2paManifests, readSigner, UnusableSigner, type Signer } from '#adapters/c2pa';
import type { Settings } from '#config';
import { digitalSourceUri } from '#files';
import type { Clock } from '#kernel';
import { signingFilesOf } from '../provenance.module.ts';
import { demand, Ill } from './check.ts';

const DAY_MS = 86_400_000;
/** A certificate takes days to get. */
const WARNED_DAYS = 30;
const ADVICE =
  'set PROVENANCE_KEY_FILE and PROVENANCE_CERTIFICATE_FILE, or run `npm run cli -- provenance init`; until then outputs ' +
  'are marked without a signature';

/** A GIF of one pixel. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Reads the key that signs outputs, and signs a picture with it. */
export async function checkProvenance(settings: Settings, clock: Clock): Promise<string> {
  const { mode } = settings.provenance;
  if (mode !== 'sign') return mode === 'off' ? 'outputs are not marked' : 'outputs are marked, and not signed';
  try {
    const signer = await readSigner(signingFilesOf(settings), clock.now());
    const { name, expiresAt } = signer;
    await trySigning(signer);
    const days = Math.floor((expiresAt.getTime() - clock.now().getTime()) / DAY_MS);
    demand(days >= WARNED_DAYS, `the certificate of the signer "${name}" expires in ${days} days`, ADVICE);
    return `outputs are signed by "${name}" until ${expiresAt.toISOString().slice(0, 10)}`;
  } catch (error) {
    if (!(error instanceof UnusableSigner)) throw error;
    throw new Ill(error.message, ADVICE, { cause: error });
  }
}

/** @throws Ill with the reason that a file is not signed */
async function trySigning(signer: Signer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-doctor-'));
  const [file, target] = [join(folder, 'picture'), join(folder, 'signed')];
  let reason = '';
  const manifests = new C2paManifests({
    ...{ signer: { get: async () => signer }, signs: true, generator: { name: 'doctor', version: '1' } },
    onFailure: (failure) => (reason = failure),
  });
  try {
    await writeFile(file, PICTURE);
    const facts = {
      digitalSource: digitalSourceUri('trainedAlgorithmicMedia'),
      title: 'doctor',
      model: null,
      parent: null,
    };
    const isSigned = await manifests.sign(file, target, 'image/gif', facts);
    demand(isSigned, `a picture could not be signed: ${reason}`, 'look at the key and its certificates');
  } finally {
    manifests.close();
    await rm(folder, { recursive: true });
  }
}
