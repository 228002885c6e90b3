/** @tier deep, 90 s, about apps/service libs/embedded libs/process scripts */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '#process';
import { callApi, type TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { StartedService, stillRunning } from '../support/started-service.ts';
const run = promisify(execFile);

let folder: string;
let port: string;
let env: Record<string, string>;
const started: StartedService[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-start-'));
  port = String(await freePort());
  env = { DATA_DIR: join(folder, 'data'), PORT: port };
});
afterAll(async () => {
  await killStarted();
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 200 });
});

async function killStarted(): Promise<void> {
  for (const service of started.splice(0)) {
    service.kill();
    await service.ended();
  }
}

function start(overrides: Record<string, string> = {}): StartedService {
  const service = new StartedService({ ...env, ...overrides });
  started.push(service);
  return service;
}

async function startReady(): Promise<StartedService> {
  const service = start();
  await service.ready();
  return service;
}

/** The message of a start that is refused, which must be one line. */
async function refusal(overrides: Record<string, string>): Promise<string> {
  const service = start(overrides);
  expect(await service.ended()).toBe(1);
  const lines = service.output.split('\n').filter((line) => line && !line.startsWith('Building'));
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

async function call(method: string, path: string, request: TestRequest) {
  return (await callApi(new URL(path, `http://127.0.0.1:${port}`), method, request)).body;
}

/** Signs up a user. @returns expects that the service knows it */
async function signUp(name: string): Promise<() => Promise<void>> {
  const form = { email: `${name}@example.com`, password: 'correct horse battery' };
  const { token, user } = await call('POST', '/v2/auth/signup', { form });
  return async () => expect((await call('GET', '/v2/auth/me', { token })).user.id).toBe(user.id);
}

describe('the processes of npm start', () => {
  let service: StartedService;
  beforeAll(async () => {
    service = await startReady();
  });

  it('says where it is and how to make a first call, which works as printed', async () => {
    const demo = JSON.parse(await readFile(join(env.DATA_DIR!, 'demo.json'), 'utf8'));
    for (const token of Object.values<string>(demo.tokens)) expect(service.output).toContain(token);
    expect(await service.ready()).toBe(`http://127.0.0.1:${port}`);
    expect(service.output).toContain(`http://127.0.0.1:${port}/docs`);
    expect(service.output).toContain(`http://127.0.0.1:${port}/console`);
    const [, address, link] = /sign in +(\S+)#link=(\S+)/.exec(service.output)!;
    expect(address).toBe(`http://127.0.0.1:${port}/console/sign-in`);
    const opened = await call('POST', '/v2/auth/session', { json: { link } });
    expect(opened.user).toMatchObject({ id: demo.users.owner.id });
    const [, token, url] = await service.until(() =>
      /curl -H 'Authorization: Bearer (\S+)' (\S+)/.exec(service.output),
    );
    expect((await callApi(new URL(url!), 'GET', { token })).body).toMatchObject({
      status: true,
      user: demo.users.owner,
    });
  });

  it('runs in three processes of Node: the API, the worker, and one that looks after them', () => {
    const node = service.processes().filter(({ command }) => /^\S*node /.test(command));
    expect(node.map(({ command }) => /(api|worker|service)\/src\/main/.exec(command)?.[1] ?? command).sort()).toEqual([
      'api',
      'service',
      'worker',
    ]);
  });

  it('keeps API and worker together below 350 MB while they have nothing to do', () => {
    const bytes = service.memory(/apps\/api\/src\/main/) + service.memory(/apps\/worker\/src\/main/);
    expect(bytes).toBeLessThan(350 * 1024 ** 2);
  });

  it('is not disturbed by a second start, which is refused', async () => {
    expect(await refusal({ PORT: String(Number(port) - 1) })).toMatch(
      /^DATA_DIR \S+ is in use by another start \(process \d+\): /,
    );
    expect(await refusal({ DATA_DIR: join(folder, 'other') })).toBe(
      `port ${port} on 127.0.0.1 is in use: stop the program that listens there, or set another PORT`,
    );
    await (
      await signUp('undisturbed')
    )();
  });

  it.each([
    ['the worker', /apps\/worker\/src\/main/],
    ['the API', /apps\/api\/src\/main/],
    ['PostgreSQL', /bin\/postgres -D/],
  ])('starts %s again when it is killed', async (_name, runs) => {
    const { pid } = service.process(runs);
    process.kill(pid, 'SIGKILL');
    await service.until(() => service.processes().find((each) => runs.test(each.command) && each.pid !== pid));
    await service.healthy(`http://127.0.0.1:${port}`);
  });

  it('ends on Ctrl-C, leaves no process behind, and has kept everything', async () => {
    const expectKept = await signUp('kept');
    const processes = service.processes();
    expect(processes.length).toBeGreaterThanOrEqual(5);
    service.interrupt();
    expect(await service.ended()).toBe(0);
    expect(stillRunning(processes)).toEqual([]);

    const next = await startReady();
    await expectKept();
    const more = next.processes();
    expect(await next.stop()).toBe(0);
    expect(stillRunning(more)).toEqual([]);
  });
});

describe('npm start', () => {
  afterEach(killStarted);

  it('leaves no process behind when its supervisor is killed', async () => {
    const service = await startReady();
    const processes = service.processes();
    process.kill(service.process(/apps\/service\/src\/main/).pid, 'SIGKILL');
    expect(await service.ended()).toBe(1);
    await eventually(() => stillRunning(processes).length === 0);
  });
});

type Overrides = Record<string, string>;
const undo: (() => Promise<unknown>)[] = [];

/** A data folder with a file system of its own, at `below` in it; `null` where this account may not mount one. */
async function onDisk(name: string, below: string, options: string): Promise<Overrides | null> {
  const path = join(folder, name, below);
  await mkdir(path, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  } catch {
    return null;
  }
  undo.push(() => run('umount', ['--lazy', path]));
  return { DATA_DIR: join(folder, name) };
}

async function withJunk(): Promise<Overrides> {
  await mkdir(join(folder, 'junk'));
  await writeFile(join(folder, 'junk', 'lock'), 'junk'.repeat(1000));
  return { DATA_DIR: join(folder, 'junk') };
}

const withWrongPassword = async (): Promise<Overrides> => ({
  DATABASE_URL: Object.assign(new URL(process.env.TEST_DATABASE_URL!), { password: 'secret' }).href,
});

const AWS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
const NO_FOLDER = /^DATA_DIR \/\S+ is not writable \(E[A-Z]+: [\w -]+\): make it writable, or set another folder$/;
const FULL = /^DATA_DIR \/\S+ is on a disk that is full \(.+\): make space, or set another folder; nothing is damaged$/;
const NO_DATABASE = /^the database of DATABASE_URL cannot be used \(.+\): check the URL, and whether the server runs$/;

describe('npm start ends within ten seconds, with one line that says why and what to do, for', () => {
  afterEach(async () => {
    await killStarted();
    for (const restore of undo.splice(0).reverse()) await restore();
  });

  it.each<[what: string, set: Overrides | (() => Promise<Overrides | null>), line: RegExp | string]>([
    ['a setting', { PORT: 'eighty' }, 'PORT is not a whole number: give a whole number from 1 to 65535'],
    ['a foreign host', { HOST: '203.0.113.1' }, /^HOST 203\.0\.113\.1 is not an address of this machine \(/],
    ['a folder that cannot be made', { DATA_DIR: '/proc/x' }, NO_FOLDER],
    ['a file as its folder', { DATA_DIR: import.meta.filename }, NO_FOLDER],
    ['a read-only file system', () => onDisk('read-only', '', 'ro'), NO_FOLDER],
    ['a read-only folder in its folder', () => onDisk('partly', 'files', 'ro'), NO_FOLDER],
    ['a full disk', () => onDisk('full', '', 'size=4k,nr_inodes=3'), FULL],
    ['one port for two', async () => ({ METRICS_PORT: port }), /^METRICS_PORT is the same as PORT: give another/],
    [
      'one port for two programs',
      async () => ({ WORKER_METRICS_PORT: port }),
      /^WORKER_METRICS_PORT is the same as PORT or/,
    ],
    ['junk in its lock', withJunk, /^\/\S+\/lock cannot be locked \(file is not a database\): delete it/],
    ['no catalogue of models', { MODELS_FILE: '/nowhere/models.yaml' }, "models.yaml: can't be read (ENOENT)"],
    ['a database that is away', { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' }, NO_DATABASE],
    ['a wrong password', withWrongPassword, NO_DATABASE],
    [
      'a Redis that is away',
      { REDIS_URL: 'redis://:secret@127.0.0.1:1' },
      /^Redis at 127\.0\.0\.1:1 cannot be used: .+; check REDIS_URL, /,
    ],
    ['a bucket without credentials', { S3_BUCKET: 'b' }, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are missing: /],
    [
      'a bucket that is away',
      { S3_BUCKET: 'b', S3_ENDPOINT: 'http://127.0.0.1:1', ...AWS },
      /^S3_BUCKET b cannot be used: S3: .+: see S3_ENDPOINT, /,
    ],
  ])('%s', async (_what, set, line) => {
    const overrides = typeof set === 'function' ? await set() : set;
    if (overrides === null) return;
    const said = await refusal({ DATA_DIR: join(folder, 'unused'), ...overrides });
    expect(said).toMatch(line);
    expect(said).not.toContain('secret');
  });
});
