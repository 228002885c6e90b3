/** @tier deep, 10 s, about libs/adapters/postgres/src/migrations scripts */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '#process';
import { databaseUrl, onServer } from '../support/database-server.ts';
const ROOT = join(import.meta.dirname, '..', '..');
const NAME = 't_migrate';
let folder: string;
let server: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-migrate-'));
  server = process.env.TEST_DATABASE_URL!;
  await onServer(server, `create database ${NAME}`);
});
afterAll(async () => {
  await onServer(server, `drop database ${NAME} with (force)`);
  await rm(folder, { recursive: true });
});

/** Output of an npm script, and its exit code, with `DATABASE_URL` set. */
async function npm(script: string, url: string, env: Record<string, string> = {}) {
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    const options = {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url, DATA_DIR: folder, ...env },
    };
    execFile('npm', ['run', '--silent', script], options, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line && !line.startsWith('Building'));
      resolve({ code: error?.code ?? 0, output: lines.join('\n') });
    });
  });
}

describe('npm run migrate', () => {
  it('brings a database up to date, without which the service does not start', async () => {
    const url = databaseUrl(server, NAME);
    const port = String(await freePort());
    expect(await npm('start', url, { PORT: port })).toEqual({
      code: 1,
      output: 'the database of DATABASE_URL is not up to date: run `npm run migrate`',
    });
    const [first, second] = await Promise.all([npm('migrate', url), npm('migrate', url)]);
    expect([first.output, second.output].sort()).toEqual([
      expect.stringMatching(/^migrated: /),
      'the database is up to date',
    ]);
    expect(await npm('migrate', url)).toEqual({ code: 0, output: 'the database is up to date' });
  });

  it('leaves a database alone that a newer version has migrated, if that is allowed', async () => {
    const url = databaseUrl(server, NAME);
    await onServer(url, "insert into migrations (name) values ('2999-01-01-of-the-future')");
    const refused = await npm('migrate', url);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('lacks 2999-01-01-of-the-future')]);
    expect(await npm('migrate', url, { ALLOW_NEWER_DATABASE: 'true' })).toEqual({
      code: 0,
      output: 'the database is up to date',
    });
  });

  it('says so when there is no database', async () => {
    expect(await npm('migrate', '')).toEqual({
      code: 1,
      output: 'DATABASE_URL is missing: set it to the URL of the database',
    });
    expect(await npm('migrate', 'postgres://nobody:secret@127.0.0.1:1/none')).toEqual({
      code: 1,
      output:
        'the database of DATABASE_URL cannot be used (connect ECONNREFUSED 127.0.0.1:1): ' +
        'check the URL, and whether the server runs',
    });
  });
});
