import { readSigner, UnusableSigner } from '#adapters/c2pa';
import type { Settings } from '#config';
import type { Clock } from '#kernel';
import { signingFilesOf } from '../provenance.module.ts';
import { demand, Ill } from './check.ts';

const DAY_MS = 86_400_000;
/** A certificate takes days to get. */
const WARNED_DAYS = 30;
const ADVICE =
  'set PROVENANCE_KEY_FILE and PROVENANCE_CERTIFICATE_FILE, or run `npm run cli -- provenance init`; until then outputs ' +
  'are marked without a signature';

/** Reads the key that signs outputs. */
export async function checkProvenance(settings: Settings, clock: Clock): Promise<string> {
  const { mode } = settings.provenance;
  if (mode !== 'sign') return mode === 'off' ? 'outputs are not marked' : 'outputs are marked, and not signed';
  try {
    const { name, expiresAt } = await readSigner(signingFilesOf(settings), clock.now());
    const days = Math.floor((expiresAt.getTime() - clock.now().getTime()) / DAY_MS);
    demand(days >= WARNED_DAYS, `the certificate of the signer "${name}" expires in ${days} days`, ADVICE);
    return `outputs are signed by "${name}" until ${expiresAt.toISOString().slice(0, 10)}`;
  } catch (error) {
    if (!(error instanceof UnusableSigner)) throw error;
    throw new Ill(error.message, ADVICE, { cause: error });
  }
}
