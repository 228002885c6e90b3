import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mailContract } from '#testing/mail';
import { temporaryFolder } from '../../../sources/src/testing/temporary-folder.ts';
import { FileMail } from './file-mail.ts';
import { parseMail } from './testing/index.ts';

const { fileAt } = temporaryFolder();
let boxes = 0;
const from = 'X12 <x12@example.com>';
const newBox = () => {
  const folder = fileAt(`box-${++boxes}/mail`);
  return { folder, mail: new FileMail({ folder, from }) };
};
const message = { to: 'ada@example.com', subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' };

mailContract('files', async () => {
  const { folder, mail } = newBox();
  return {
    mail,
    received: async () => {
      const names = (await readdir(folder)).sort();
      return Promise.all(names.map(async (name) => parseMail(await readFile(join(folder, name)))));
    },
  };
});

describe('mail into files', () => {
  it('writes one .eml file for each message, named by time and private to its owner', async () => {
    const { folder, mail } = newBox();
    await mail.send(message);
    const [name, ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f-]{36}\.eml$/);
    expect((await stat(join(folder, name!))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('fails with the reason when the folder is not writable', async () => {
    const { folder, mail } = newBox();
    await mkdir(join(folder, '..'), { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    const unavailable = { code: 'unavailable', message: expect.stringMatching(/\((EEXIST|ENOTDIR)\)/) };
    await expect(mail.send(message)).rejects.toMatchObject(unavailable);
    await expect(mail.check()).rejects.toMatchObject(unavailable);
  });
});
