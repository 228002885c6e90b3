import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './folders.ts';

/**
 * Reads the secret in `file`, and generates 256 random bits if the file is missing. Processes that start at the same time
 * get the same secret, and a crash never leaves a partial one.
 */
export function keepSecret(file: string): string {
  if (!existsSync(file)) generate(file);
  return readFileSync(file, 'utf8');
}

function generate(file: string): void {
  makeFolder(dirname(dirname(file)));
  makeFolder(dirname(file), 0o700);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
