import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeSigner } from '#adapters/c2pa';
import { readSettings } from '#config';
import { temporaryFolder } from '../../../../libs/sources/src/testing/temporary-folder.ts';
import { listen } from '../../../../test/support/listen.ts';
import { SmallRedis } from '../../../../test/support/small-redis.ts';
import { OpenConnections } from '../open-connections.ts';
import { findings } from './check.ts';
import { checkDisk } from './check-disk.ts';
import { checkProvenance } from './check-provenance.ts';
import { examine } from './doctor.ts';
import { openParts } from './examined.ts';

const { fileAt } = temporaryFolder();
/** The API, as clients reach it. */
let api: Server;
let answer: RequestListener;
let publicUrl: string;
beforeEach(async () => {
  answer = (_, response) => void response.end('{}');
  api = createServer((request, response) => answer(request, response));
  publicUrl = `http://${await listen(api)}`;
});
afterEach(() => void api.close().closeAllConnections());

async function examined(env: Readonly<Record<string, string>> = {}) {
  const away = { DATABASE_URL: 'postgres://x12@127.0.0.1:1/x12', DATA_DIR: fileAt(''), PUBLIC_URL: publicUrl };
  const settings = readSettings({ ...away, ...env });
  const opened = new OpenConnections();
  try {
    const found = await examine(openParts(settings, async () => settings.database.url!, opened));
    return new Map(found.map(({ check, ...rest }) => [check, rest]));
  } finally {
    await opened.close();
  }
}

const refuses =
  (path: RegExp, status: number, body: object): RequestListener =>
  ({ url = '' }, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (path.test(url)) response.writeHead(status).end(JSON.stringify(body));
    else response.end('{}');
  };

describe('the doctor', () => {
  it('examines the rest when PostgreSQL is down, and says where it looked for it', async () => {
    const found = await examined();
    const finding = expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.*DATABASE_URL/);
    expect(found.get('database')).toEqual({ state: 'ill', finding, advice: expect.stringMatching(/^start it/) });
    const checks = ['settings', 'api', 'database', 'disk', 'storage', 'mail', 'provenance', 'models'];
    expect([...found.keys()]).toEqual(checks);
    expect(found.get('mail')).toMatchObject({ state: 'well' });
  });

  it('examines the rest when Redis is down, or refuses the password', async () => {
    const redis = new SmallRedis(null);
    const REDIS_URL = await redis.start();
    const refused = await examined({ REDIS_URL });
    redis.stop();
    const down = await examined({ REDIS_URL });
    expect(refused.get('redis')).toMatchObject({ state: 'ill', finding: expect.stringContaining('WRONGPASS') });
    expect(down.get('redis')).toMatchObject({ state: 'ill', finding: expect.stringContaining('ECONNREFUSED') });
    for (const found of [refused, down]) expect(found.get('mail')).toMatchObject({ state: 'well' });
  });

  it.each([
    ['storage is full: make space on its disk', 'full', /make space/],
    ['database lacks migrations', 'outdated', /npm run migrate/],
    ['database cannot be written to', 'read_only', /standby/],
    ['storage cannot be reached', 'down', /log/],
  ])('says what /health/ready says: %s', async (message, state, advice) => {
    answer = refuses(/^\/health\/ready$/, 503, { message, checks: [{ state: 'up' }, { state }] });
    const finding = `${publicUrl} is not ready: ${message}`;
    expect((await examined()).get('api')).toEqual({ state: 'ill', finding, advice: expect.stringMatching(advice) });
  });

  it('says that the API is ready, and when nothing responds', async () => {
    expect((await examined()).get('api')).toMatchObject({ state: 'well' });
    const { state, finding } = (await examined({ PUBLIC_URL: 'http://127.0.0.1:1' })).get('api')!;
    expect([state, finding]).toEqual(['ill', 'http://127.0.0.1:1 cannot be reached']);
  });

  it('says why a signed PUT was refused: rights are not what a full disk lacks', async () => {
    answer = refuses(/^\/storage\//, 503, { message: 'the disk of the service is full' });
    const finding = 'a signed PUT failed with status 503: the disk of the service is full';
    const advice = expect.stringContaining('space');
    expect((await examined()).get('storage')).toEqual({ state: 'ill', finding, advice });
    answer = refuses(/^\/storage\//, 403, { message: 'forbidden' });
    expect((await examined()).get('storage')).toMatchObject({ advice: expect.stringContaining('rights') });
  });

  it('finds the disk ill below the reserve of DISK_RESERVE_BYTES', async () => {
    const MEBIBYTE = 1024 ** 2;
    const settings = readSettings({ DATA_DIR: fileAt(''), DISK_RESERVE_BYTES: String(64 * MEBIBYTE) });
    const disk = async (free: number) => (await findings([['disk', () => checkDisk(settings, async () => free)]]))[0];
    expect(await disk(64 * MEBIBYTE)).toMatchObject({ state: 'well' });
    const finding = expect.stringMatching(/has 63 MiB left, less than DISK_RESERVE_BYTES \(64 MiB\)$/);
    expect(await disk(64 * MEBIBYTE - 1)).toMatchObject({ state: 'ill', finding });
  });

  it('says of PROVENANCE=sign which key is missing, by whom outputs are signed, and that a certificate expires soon', async () => {
    const signing = (days: number) => {
      const time = new Date(Date.now() + days * 86_400_000);
      const settings = readSettings({ DATA_DIR: fileAt(''), PROVENANCE: 'sign' });
      return findings([['provenance', () => checkProvenance(settings, { now: () => time })]]).then(([found]) => found);
    };
    const advice = expect.stringContaining('provenance init');
    expect(await signing(0)).toMatchObject({
      state: 'ill',
      finding: expect.stringContaining('provenance.key'),
      advice,
    });
    const made = await makeSigner('Studio', new Date(), 60);
    mkdirSync(fileAt('secrets'), { recursive: true });
    writeFileSync(fileAt('secrets/provenance.key'), made.key);
    writeFileSync(fileAt('secrets/provenance.pem'), made.certificates);
    expect(await signing(1)).toMatchObject({ state: 'well', finding: expect.stringContaining('signed by "Studio"') });
    expect(await signing(29.9)).toMatchObject({ state: 'well' });
    expect(await signing(30.1)).toMatchObject({ state: 'ill', finding: expect.stringContaining('expires in 29 days') });
    expect(await signing(61)).toMatchObject({ state: 'ill', finding: 'the certificate has expired', advice });
  });
});
