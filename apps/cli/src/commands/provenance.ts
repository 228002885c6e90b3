import { existsSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { makeSigner, readSigner } from '#adapters/c2pa';
import { makeFolder, type Settings } from '#config';
import { StartError } from '#process';
import { integerArgument } from '../arguments.ts';
import type { Session } from '../session.ts';

const TWO_YEARS = 730;

export function provenanceCommand(session: Session): Command {
  const provenance = new Command('provenance').description('The key that signs what outputs say of themselves.');

  provenance
    .command('init')
    .description('makes a key and a certificate of its own root in DATA_DIR, for PROVENANCE=sign; replaces none')
    .option('--days <number>', 'how long the certificate is valid', integerArgument, TWO_YEARS)
    .action(session.runOnFolder((settings, { days }: { days: number }) => init(settings, days)));

  return provenance;
}

async function init({ data, provenance }: Settings, days: number) {
  const files = { keyFile: data.provenanceKey, certificateFile: data.provenanceCertificate };
  for (const file of Object.values(files)) {
    if (existsSync(file)) throw new StartError(`${file} exists: move it away first, what it has signed stays valid`);
  }
  const now = new Date();
  const made = await makeSigner(provenance.name, now, days);
  makeFolder(data.folder);
  makeFolder(data.secrets, 0o700);
  writeFileSync(files.keyFile, made.key, { mode: 0o600, flag: 'wx', flush: true });
  writeFileSync(files.certificateFile, made.certificates, { mode: 0o644, flag: 'wx', flush: true });
  const { name, expiresAt } = await readSigner(files, now);
  return { signer: name, expires: expiresAt, key: files.keyFile, certificate: files.certificateFile };
}
