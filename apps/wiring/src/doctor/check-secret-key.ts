import type { SecretKeys } from '#config';
import type { Vault } from '#kernel';
import { demand } from './check.ts';

const LOST =
  'set SECRET_KEY to the key that encrypted them, or PREVIOUS_SECRET_KEY if there is a newer one; if that key is lost, ' +
  'see "The secret key" in docs/operations.md';

/** Opens every secret that the database keeps encrypted. */
export async function checkSecretKey(vault: Pick<Vault, 'examine'>, { current }: SecretKeys): Promise<string> {
  const { kept, previous, unreadable } = await vault.examine();
  const reasons = Object.entries(unreadable).map(([reason, secrets]) => `${reason} (${secrets} secrets)`);
  demand(reasons.length === 0, reasons.join('; '), LOST);
  const rotate = 'run `npm run cli -- secret-key rotate`';
  demand(previous === 0, `${previous} of ${kept} secrets are encrypted with PREVIOUS_SECRET_KEY`, rotate);
  return current === null ? 'SECRET_KEY is not set: two-factor is not available' : `opens ${kept} secrets`;
}
