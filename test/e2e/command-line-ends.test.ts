/** @tier test, 12 s */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/processes.ts';
import { SmallRedis } from '../support/small-redis.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'x12-cli-'));
const database = await suiteDatabase();
const [redis, locked] = [new SmallRedis(), new SmallRedis(null)];
const [redisUrl, lockedUrl] = [await redis.start(), await locked.start()];
afterAll(() => {
  redis.stop();
  locked.stop();
  rmSync(folder, { recursive: true });
});

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** Runs the command line as a process, as operators and jobs do, until it has ended. */
async function cli(args: readonly string[], env: Readonly<Record<string, string>>) {
  const program = join(ROOT, 'dist', 'apps', 'cli', 'src', 'main.js');
  const inherited = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: database.url };
  const started = spawn(process.execPath, [program, ...args], { env: { ...inherited, ...env } });
  child = started;
  const [complaints, out, [code]] = await Promise.all([
    text(started.stderr),
    text(started.stdout),
    once(started, 'exit') as Promise<[number | null]>,
  ]);
  return { code, complaints, out };
}

const elsewhere = (url: string) => Object.assign(new URL(url), { pathname: '/no-such-database' }).href;

/** Handles that a process keeps open are seen only when it is one. */
describe('the command line', () => {
  const refused = 'cannot be used: ';
  it.each([
    [
      'the password of Redis is wrong',
      { REDIS_URL: lockedUrl },
      `Redis at ${new URL(lockedUrl).host} ${refused}WRONGPASS`,
    ],
    ['the database is wrong', { REDIS_URL: redisUrl, DATABASE_URL: elsewhere(database.url) }, '"no-such-database"'],
    ['keys are missing', { REDIS_URL: redisUrl, S3_BUCKET: 'x12' }, 'AWS_ACCESS_KEY_ID and'],
  ])('ends with code 1 when %s', async (_, env, complaint) => {
    for (const command of [['users', 'list'], ['audit']]) {
      const { code, complaints } = await cli(command, env);
      expect([code, complaints]).toEqual([1, expect.stringContaining(complaint)]);
    }
  });

  it('ends with code 1 when a newer version has migrated the database', async () => {
    const NEWER = '2999-01-01-newer';
    await database.query('insert into migrations (name, executed_at) values ($1, now())', [NEWER]);
    const { code, complaints } = await cli(['audit'], { REDIS_URL: redisUrl });
    await database.query('delete from migrations where name = $1', [NEWER]);
    expect([code, complaints]).toEqual([1, expect.stringContaining('ALLOW_NEWER_DATABASE')]);
  });

  it('ends with code 1 after the doctor has examined what can be opened', async () => {
    const { code, out } = await cli(['doctor', '--json'], { REDIS_URL: lockedUrl });
    const states = (JSON.parse(out) as { check: string; state: string }[]).map(({ check, state }) => [check, state]);
    expect(code).toBe(1);
    expect(states).toEqual(
      expect.arrayContaining([
        ['redis', 'ill'],
        ['plans', 'well'],
        ['mail', 'well'],
      ]),
    );
  });

  it.each([
    [
      'PostgreSQL',
      ['backup', 'create'],
      { DATABASE_URL: 'postgres://x12@127.0.0.1:1/x12' },
      'PostgreSQL at 127.0.0.1:1',
    ],
    ['the bucket', ['audit'], { S3_BUCKET: 'x12', S3_ENDPOINT: 'http://127.0.0.1:1' }, 'AWS_ACCESS_KEY_ID'],
  ])('names %s that a command cannot use', async (_, args, env, complaint) => {
    const { code, complaints } = await cli(args, env);
    expect([code, complaints]).toEqual([1, expect.stringContaining(complaint)]);
  });

  it('ends with code 0 when it has opened all and done its work', async () => {
    const { code, out } = await cli(['users', 'list'], { REDIS_URL: redisUrl });
    expect([code, out]).toEqual([0, expect.stringContaining('none')]);
  });
});
