import { randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { keepSecret } from './keep-secret.ts';
import type { Settings } from './read-settings.ts';

/** Keys of 32 bytes in base64; `null` where there is none. */
export interface SecretKeys {
  readonly current: string | null;
  /** Opens what was sealed before the last rotation. */
  readonly previous: string | null;
}

/**
 * The keys of the settings, else of the data folder. Those of the data folder are read each time: a rotation replaces them
 * while programs run.
 */
export function secretKeys({ secrets, data }: Pick<Settings, 'secrets' | 'data'>): SecretKeys {
  if (secrets.key !== null) return { current: secrets.key, previous: secrets.previousKey };
  return { current: contentOf(data.secretKey), previous: contentOf(data.previousSecretKey) };
}

/** Makes a key in the data folder, unless the settings or the folder have one. */
export function keepSecretKey({ secrets, data }: Pick<Settings, 'secrets' | 'data'>): void {
  if (secrets.key === null) keepSecret(data.secretKey);
}

/** Makes a new key in the data folder; the present one becomes the previous one. After a crash there is at least one. */
export function replaceSecretKey({ secretKey, previousSecretKey }: Settings['data']): void {
  const draft = `${secretKey}.${process.pid}.${randomBytes(4).toString('hex')}`;
  copyFileSync(secretKey, draft);
  renameSync(draft, previousSecretKey);
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  renameSync(draft, secretKey);
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
