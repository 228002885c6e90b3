import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { EmbeddedPostgres } from '#embedded';
import { eventually } from '../support/eventually.ts';

jest.setTimeout(30_000);

const folders: string[] = [];
/** The folder of the test that runs; the same for all that do not need a new one. */
let folder: string;
let shared: string;
let holders: ChildProcess[];
beforeAll(async () => {
  shared = await newFolder();
});
beforeEach(() => {
  folder = shared;
  holders = [];
});
afterEach(async () => {
  for (const holder of holders) holder.kill('SIGKILL');
  await until(async () => (await serverPid()) === null);
});
afterAll(async () => {
  for (const each of folders) await rm(each, { recursive: true, maxRetries: 5 });
});

const until = (probe: () => Promise<boolean>) => eventually(probe, { seconds: 10, everyMs: 10 });
const open = () => EmbeddedPostgres.open({ folder, password: 'a test' });

describe('the embedded PostgreSQL', () => {
  it('keeps what was committed, and its address, over a restart', async () => {
    const first = await open();
    const url = await first.start();
    await sql(url, 'drop table if exists kept', 'create table kept (n int)', 'insert into kept values (1), (2)');
    await first.stop();

    const second = await open();
    expect(await second.start()).toBe(url);
    expect(await sql(url, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }]);
    await second.stop();
    await second.ended();
    expect(await serverPid()).toBeNull();
  });

  it('is durable and checks its pages', async () => {
    const server = await open();
    const url = await server.start();
    for (const [setting, value] of [
      ['fsync', 'on'],
      ['full_page_writes', 'on'],
      ['synchronous_commit', 'on'],
      ['data_checksums', 'on'],
    ]) {
      expect(await sql(url, `select current_setting('${setting}') as value`)).toEqual([{ value }]);
    }
    await server.stop();
  });

  it('lets nobody in without the password', async () => {
    const server = await open();
    const url = new URL(await server.start());
    url.password = 'a guess';
    await expect(sql(url.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    await server.stop();
  });

  it('stops by itself when the process that started it is killed', async () => {
    const { process } = await hold();
    expect(await serverPid()).not.toBeNull();
    process.kill('SIGKILL');
    await until(async () => (await serverPid()) === null);
  });

  it('is taken over from a process that was killed a moment ago', async () => {
    const { process, url } = await hold();
    await sql(url, 'drop table if exists kept', 'create table kept (n int)', 'insert into kept values (1)');
    process.kill('SIGKILL');
    const server = await open();
    expect(await sql(await server.start(), 'select n from kept')).toEqual([{ n: 1 }]);
    await server.stop();
  });

  it('comes back with everything committed after it was itself killed', async () => {
    const { process: holder, url } = await hold();
    await sql(url, 'drop table if exists kept', 'create table kept (n int)', 'insert into kept values (1)');
    process.kill((await serverPid())!, 'SIGKILL');
    holder.kill('SIGKILL');
    const server = await open();
    expect(await sql(await server.start(), 'select n from kept')).toEqual([{ n: 1 }]);
    await server.stop();
  });

  it('starts although its old process number belongs to another program by now', async () => {
    const first = await open();
    await first.start();
    const pidFile = await readFile(pidFilePath(), 'utf8');
    await first.stop();
    const other = await hold(false);
    await writeFile(pidFilePath(), pidFile.replace(/^\d+/, String(other.process.pid)));

    const server = await open();
    await server.start();
    expect(other.process.exitCode).toBeNull();
    await server.stop();
  });

  it('makes its files anew after a kill in the middle of making them', async () => {
    folder = await newFolder();
    const { process } = await hold(false);
    process.send('start');
    await until(async () => (await readdir(folder, { recursive: true })).length > 30);
    process.kill('SIGKILL');
    expect(await readdir(folder)).not.toContain('cluster');

    const server = await open();
    expect(await sql(await server.start(), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    await server.start();
    expect(await readdir(folder)).toEqual(['cluster', 'log', 'port']);
    await server.stop();
  });

  it('takes another port when its own is taken meanwhile', async () => {
    const first = await open();
    const url = await first.start();
    await first.stop();
    const other = await newFolder();
    await writeFile(join(other, 'port'), await readFile(join(folder, 'port')));
    const thief = await EmbeddedPostgres.open({ folder: other, password: 'a thief' });
    expect(new URL(await thief.start()).port).toBe(new URL(url).port);

    const second = await open();
    const moved = await second.start();
    expect(new URL(moved).port).not.toBe(new URL(url).port);
    expect(await sql(moved, 'select 1 as one')).toEqual([{ one: 1 }]);
    await Promise.all([second.stop(), thief.stop()]);
  });

  it('comes back to its clients when its port is taken meanwhile, for a while', async () => {
    const server = await open();
    const url = await server.start();
    process.kill((await serverPid())!, 'SIGKILL');
    await server.ended();
    const thief = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(thief, 'listening');

    const started = server.start();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    thief.close();
    expect(await started).toBe(url);
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('has a port that no outgoing connection is given, where there are such', async () => {
    if (process.platform !== 'linux') return;
    folder = await newFolder();
    const server = await open();
    const port = Number(new URL(await server.start()).port);
    await server.stop();
    const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const lowest = Number.parseInt(range, 10);
    if (lowest > 10_000) expect(port).toBeLessThan(lowest);
  });

  it('says why it does not start', async () => {
    folder = await newFolder();
    const first = await open();
    await first.start();
    await first.stop();
    await writeFile(join(folder, 'cluster', 'PG_VERSION'), '9.6\n');
    await expect((await open()).start()).rejects.toThrow(/PostgreSQL does not start \(database files are incompatible/);
  });

  it('keeps its files from the eyes of others', async () => {
    const server = await open();
    await server.start();
    expect((await stat(join(folder, 'cluster'))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, 'log'))).mode & 0o077).toBe(0);
    await server.stop();
  });
});

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'x12-embedded-'));
  folders.push(made);
  return made;
}

/** Another process that runs the server, to be killed; without `started` it waits to be told. */
async function hold(started = true): Promise<{ process: ChildProcess & { send(m: string): void }; url: string }> {
  const script = `
    import { EmbeddedPostgres } from '#embedded';
    const start = async () => process.send(
      await (await EmbeddedPostgres.open({ folder: ${JSON.stringify(folder)}, password: 'a test' })).start());
    process.on('message', () => start());
    process.send('here');
  `;
  const holder = fork('-', [], {
    execPath: process.execPath,
    execArgv: ['--conditions=source', '--experimental-transform-types', '--input-type=module', '-e', script],
    stdio: 'inherit',
  });
  holders.push(holder);
  await once(holder, 'message');
  if (started) holder.send('start');
  const [url] = started ? ((await once(holder, 'message')) as [string]) : [''];
  return { process: holder as ChildProcess & { send(m: string): void }, url };
}

async function sql(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

function pidFilePath(): string {
  return join(folder, 'cluster', 'postmaster.pid');
}

/** The server's process number while it runs. */
async function serverPid(): Promise<number | null> {
  const pid = Number.parseInt(await readFile(pidFilePath(), 'utf8').catch(() => ''), 10);
  if (!pid) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}
