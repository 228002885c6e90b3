import { statSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { readSigner } from '#adapters/c2pa';
import { temporaryFolder } from '../../../../libs/sources/src/testing/temporary-folder.ts';
import { runCommand } from '../../../../test/support/command-line.ts';

const { fileAt } = temporaryFolder();

it('`provenance init` makes a key that only its owner reads, and replaces none', async () => {
  const env = { DATA_DIR: fileAt('data'), PROVENANCE_NAME: 'Studio' };
  const init = () => runCommand(env, 'provenance', 'init', '--days', '10', '--json');
  const made = await init();
  expect(made).toMatchObject({ code: 0 });
  const { key: keyFile, certificate: certificateFile } = JSON.parse(made.out) as Record<string, string>;
  const signer = await readSigner({ keyFile: keyFile!, certificateFile: certificateFile! }, new Date());
  expect(signer).toMatchObject({ name: 'Studio' });
  expect(statSync(keyFile!).mode & 0o777).toBe(0o600);
  expect(await init()).toMatchObject({ code: 1, complaints: expect.stringContaining('exists') });
  expect((await readSigner({ keyFile: keyFile!, certificateFile: certificateFile! }, new Date())).root).toBe(
    signer.root,
  );
});
