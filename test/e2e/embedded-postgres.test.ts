/** @tier deep, 12 s, about libs/embedded */
import { execFile, fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EmbeddedPostgres } from '#embedded';
import { eventually } from '../support/eventually.ts';
/** True if this account may mount a disk: it mounts one in a namespace of its own. */
const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

const run = promisify(execFile);
const folders: string[] = [];
const disks: string[] = [];
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
  for (const each of disks) await run('umount', ['--lazy', each]);
  for (const each of folders) await rm(each, { recursive: true, maxRetries: 5 });
});

const until = (probe: () => Promise<boolean>) => eventually(probe, { everyMs: 10 });
const open = () => EmbeddedPostgres.open({ folder, password: 'a test' });

/** Starts a server, hands its URL to `work`, and stops it. */
async function whileServing(work: (url: string) => Promise<unknown>): Promise<void> {
  const server = await open();
  await work(await server.start());
  await server.stop();
}
const keep = (url: string) =>
  sql(url, 'drop table if exists kept', 'create table kept (n int)', 'insert into kept values (1)');
const expectOne = (url: string) => expect(sql(url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
const expectKept = (url: string) => expect(sql(url, 'select n from kept')).resolves.toEqual([{ n: 1 }]);

describe('the embedded PostgreSQL', () => {
  it('is durable, checks its pages, lets nobody in without the password, and shows its files to nobody', () =>
    whileServing(async (url) => {
      for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
        expect(await sql(url, `select current_setting('${name}') as value`)).toEqual([{ value: 'on' }]);
      }
      const guess = Object.assign(new URL(url), { password: 'a guess' });
      await expect(sql(guess.href, 'select 1')).rejects.toThrow(/password authentication failed/);
      for (const name of ['cluster', 'log']) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
    }));

  it('keeps committed data and its address after a restart', async () => {
    let before = '';
    await whileServing((url) => keep((before = url)));
    const second = await open();
    expect(await second.start()).toBe(before);
    await expectKept(before);
    await second.stop();
    await second.ended();
    expect(await serverPid()).toBeNull();
  });

  it('stops by itself when the process that started it is killed', async () => {
    const { process } = await startServer();
    expect(await serverPid()).not.toBeNull();
    process.kill('SIGKILL');
    await until(async () => (await serverPid()) === null);
  });

  it.each([
    ['is taken over from a process that was killed a moment ago', false],
    ['comes back with everything committed after it was itself killed', true],
  ])('%s', async (_name, isKilled) => {
    const { process: holder, url } = await startServer();
    await keep(url);
    if (isKilled) process.kill((await serverPid())!, 'SIGKILL');
    holder.kill('SIGKILL');
    await whileServing(expectKept);
  });

  it('starts although its old process number belongs to another program by now', async () => {
    let pidFile = '';
    await whileServing(async () => (pidFile = await readFile(pidFilePath(), 'utf8')));
    const other = await startServer(false);
    await writeFile(pidFilePath(), pidFile.replace(/^\d+/, String(other.process.pid)));
    await whileServing(async () => expect(other.process.exitCode).toBeNull());
  });

  it('makes its files anew after a kill in the middle of making them', async () => {
    folder = await newFolder();
    const { process } = await startServer(false);
    process.send('start');
    await until(async () => (await readdir(folder, { recursive: true })).length > 30);
    process.kill('SIGKILL');
    expect(await readdir(folder)).not.toContain('cluster');
    await whileServing(expectOne);
    await whileServing(async () => expect(await readdir(folder)).toEqual(['cluster', 'log', 'port']));
  });

  it('takes another port when its own is taken meanwhile', async () => {
    let port = '';
    await whileServing(async (url) => (port = new URL(url).port));
    const other = await newFolder();
    await writeFile(join(other, 'port'), await readFile(join(folder, 'port')));
    const thief = await EmbeddedPostgres.open({ folder: other, password: 'a thief' });
    expect(new URL(await thief.start()).port).toBe(port);
    await whileServing(async (moved) => {
      expect(new URL(moved).port).not.toBe(port);
      await expectOne(moved);
    });
    await thief.stop();
  });

  it('comes back to its clients when its port is taken meanwhile, for a while', async () => {
    const server = await open();
    const url = await server.start();
    process.kill((await serverPid())!, 'SIGKILL');
    await server.ended();
    const thief = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(thief, 'listening');

    const started = server.start();
    await sleep(1200);
    thief.close();
    expect(await started).toBe(url);
    await expectOne(url);
    await server.stop();
  });

  (canMount ? it : it.skip)('says that its disk is full, and comes back when there is space', async () => {
    folder = await newFolder();
    await mountSmallDisk(folder);
    await whileServing(keep);
    const ballast = join(folder, 'ballast');
    await mkdir(ballast);
    // The last block is not enough: the room of the old log is free by then. A new file is needed at each start.
    const fill = async () => {
      for (let at = 0; ; at += 1) await writeFile(join(ballast, `${at}`), '');
    };
    await expect(fill()).rejects.toThrow(/ENOSPC/);
    await expect((await open()).start()).rejects.toThrow(
      /as the disk with \S+ is full \(.*No space left.*\): make space/,
    );
    await rm(ballast, { recursive: true });
    await whileServing(expectKept);
  });

  it('has a port that no outgoing connection is given, where there are such, and says why it does not start', async () => {
    folder = await newFolder();
    await whileServing(async (url) => {
      if (process.platform !== 'linux') return;
      const lowest = Number.parseInt(await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
      if (lowest > 10_000) expect(Number(new URL(url).port)).toBeLessThan(lowest);
    });
    await writeFile(join(folder, 'cluster', 'PG_VERSION'), '9.6\n');
    await expect((await open()).start()).rejects.toThrow(/PostgreSQL does not start \(database files are incompatible/);
  });
});

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'x12-embedded-'));
  folders.push(made);
  return made;
}

/** A disk without room for many files. */
async function mountSmallDisk(path: string): Promise<void> {
  await run('mount', ['-t', 'tmpfs', '-o', 'size=120m,nr_inodes=2000', 'tmpfs', path]);
  disks.push(path);
}

/** Another process that runs the server, to be killed; without `started` it waits for a message. */
async function startServer(
  started = true,
): Promise<{ process: ChildProcess & { send(m: string): void }; url: string }> {
  const script = `
    import { EmbeddedPostgres } from '#embedded';
    const start = async () => process.send(
      await (await EmbeddedPostgres.open({ folder: ${JSON.stringify(folder)}, password: 'a test' })).start());
    process.on('message', () => start());
    process.send('here');
  `;
  const holder = fork('-', [], {
    execPath: process.execPath,
    execArgv: ['--conditions=x12-source', '--experimental-transform-types', '--input-type=module', '-e', script],
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
