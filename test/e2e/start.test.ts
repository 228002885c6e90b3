import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '#process';
import { callApi, type TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { StartedService, stillRunning } from '../support/started-service.ts';

jest.setTimeout(120_000);

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

describe('what npm start runs', () => {
  let service: StartedService;
  beforeAll(async () => {
    service = await startReady();
  });

  it('says where it is and how to make a first call, which works as printed', async () => {
    const demo = JSON.parse(await readFile(join(env.DATA_DIR!, 'demo.json'), 'utf8'));
    for (const token of Object.values<string>(demo.tokens)) expect(service.output).toContain(token);
    expect(await service.ready()).toBe(`http://127.0.0.1:${port}`);
    expect(service.output).toContain(`http://127.0.0.1:${port}/docs`);
    const [, token, url] = await service.until(() =>
      /curl -H 'Authorization: Bearer (\S+)' (\S+)/.exec(service.output),
    );
    expect((await callApi(new URL(url!), 'GET', { token })).body).toMatchObject({
      status: true,
      user: demo.users.owner,
    });
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

  it('ends within ten seconds on Ctrl-C, leaves no process behind, and has kept everything', async () => {
    const expectKept = await signUp('kept');
    const processes = service.processes();
    expect(processes.length).toBeGreaterThanOrEqual(5);
    const before = Date.now();
    service.interrupt();
    expect(await service.ended()).toBe(0);
    expect(Date.now() - before).toBeLessThan(10_000);
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

  it('comes back with everything after a kill -9 of all its processes', async () => {
    const first = await startReady();
    const expectKept = await signUp('killed');
    first.kill();
    await first.ended();

    await startReady();
    await expectKept();
  });

  it('leaves no process behind when the one that looks after them is killed', async () => {
    const service = await startReady();
    const processes = service.processes();
    process.kill(service.process(/apps\/service\/src\/main/).pid, 'SIGKILL');
    expect(await service.ended()).toBe(1);
    await eventually(() => stillRunning(processes).length === 0, { seconds: 8 });
  });

  it('refuses a wrong setting, a folder that can not be written to and a host that is not ours', async () => {
    expect(await refusal({ PORT: 'eighty' })).toBe('PORT is not a whole number: give a whole number from 1 to 65535');
    await writeFile(join(folder, 'file'), '');
    expect(await refusal({ DATA_DIR: join(folder, 'file', 'data') })).toMatch(
      /^DATA_DIR is not writable \(ENOTDIR\): /,
    );
    expect(await refusal({ HOST: '203.0.113.1' })).toMatch(/^HOST 203\.0\.113\.1 is not an address of this machine/);
  });
});
