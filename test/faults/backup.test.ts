/** @tier deep, 60 s, about apps/cli */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { DatabaseSnapshot } from '#adapters/postgres';
import { DiskObjects } from '#adapters/storage';
import { EmbeddedPostgres } from '#embedded';
import { systemClock } from '#kernel';
import { freePort } from '#process';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import {
  databaseUrlOf,
  demoToken,
  signal,
  startDemo,
  StartedService,
  type DemoService,
} from '../support/started-service.ts';
import { PersonaOwner, Uploader } from './rig/actors.ts';
import { BoardKeeper } from './rig/board-keeper.ts';
import { Chance } from './rig/chance.ts';
import { Client } from './rig/client.ts';
import { Generator } from './rig/generator.ts';
import { numberOf, say } from './rig/run-rig.ts';

/** How long clients work before the backup is made; `SEED=…` repeats what they do. */
const SECONDS = numberOf('DURATION', 6);
const SEED = numberOf('SEED', Date.now() % 1_000_000);
const COST = 4;

jest.setTimeout(400_000);

/** Rows of each table, as hashes, the hash of each file's bytes, and the files outside the trash. */
interface State {
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly bytes: ReadonlyMap<string, string>;
  readonly shown: readonly string[];
}

let demo: DemoService;
let place: string;
let restored: StartedService | undefined;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'x12-restored-'));
  // Bytes of deleted files go at once: those of the backup must not.
  demo = await startDemo({ DELETE_GRACE_DAYS: '0', SWEEP_INTERVAL_SECONDS: '1', WORKER_CONCURRENCY: '2' });
}, 180_000);
afterAll(async () => {
  await restored?.stop();
  await demo.stop();
  await rm(`${demo.folder}-backups`, { recursive: true, force: true });
  await rm(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Rows that a connection sees; of jobs only columns that the backup does not change. */
async function stateOf(client: pg.Client, filesFolder: string): Promise<State> {
  const tables = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('migrations', 'rate_limits')`,
  );
  const rows: Record<string, readonly string[]> = {};
  for (const { name } of tables.rows) {
    const found = await client.query<{ hash: string }>(
      `select md5((to_jsonb(t) - '{relayed_at,started_at,ticket,deliveries}'::text[])::text) as hash
       from ${name} t order by hash`,
    );
    rows[name] = found.rows.map(({ hash }) => hash);
  }
  const files = await client.query<{ key: string; is_shown: boolean }>(
    'select key, deletion_id is null as is_shown from files',
  );
  const store = new DiskObjects(filesFolder, systemClock);
  const bytes = new Map<string, string>();
  for (const { key } of files.rows) {
    const opened = await store.openObject(key);
    bytes.set(key, opened ? sha256(Buffer.concat(await opened.bytes.createReadStream().toArray())) : 'missing');
  }
  const shown = files.rows.filter((file) => file.is_shown).map(({ key }) => key);
  return { rows, bytes, shown };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes a backup, and sees by a connection of its own what the snapshot of the backup sees.
 *
 * @param meanwhile what happens after the moment of the snapshot, and before anything is saved
 */
async function backUp(meanwhile: () => Promise<void>): Promise<{ readonly name: string; readonly seen: State }> {
  let seen: State | undefined;
  const { tables } = DatabaseSnapshot.prototype;
  const spy = jest.spyOn(DatabaseSnapshot.prototype, 'tables').mockImplementation(async function (
    this: DatabaseSnapshot,
  ) {
    const { client } = this as unknown as { client: pg.Client };
    const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
    await withClient(demo.databaseUrl, async (other) => {
      await other.query('begin isolation level repeatable read');
      await other.query(`set transaction snapshot '${rows[0]!.id}'`);
      seen = await stateOf(other, join(demo.folder, 'files'));
    });
    await meanwhile();
    return tables.call(this);
  });
  try {
    const { code, out, complaints } = await runCommand({ DATA_DIR: demo.folder }, 'backup', 'create', '--json');
    expect([code, complaints]).toEqual([0, '']);
    return { name: JSON.parse(out).name, seen: seen! };
  } finally {
    spy.mockRestore();
  }
}

/** Contents of the database and the store of a data folder, while no service runs. */
async function stateIn(folder: string): Promise<State> {
  const password = await readFile(join(folder, 'secrets', 'postgres'), 'utf8');
  const postgres = await EmbeddedPostgres.open({ folder: join(folder, 'postgres'), password });
  try {
    return await withClient(await postgres.start(), (client) => stateOf(client, join(folder, 'files')));
  } finally {
    await postgres.stop();
  }
}

/** A persona with a file of its own. */
async function personaWithFile(client: Client): Promise<{ readonly personaId: number; readonly key: string }> {
  const { body } = await client.call('POST', '/v2/personas', { form: { name: 'Deleted' }, key: 'deleted' });
  const form = { filename: 'a.svg', pid: String(body.persona.id) };
  const { body: ticket } = await client.call('POST', '/v2/upload', { form, key: 'upload' });
  await client.put(ticket.signed_url, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), ticket.headers);
  const { status } = await client.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`);
  expect(status).toBe(200);
  return { personaId: body.persona.id, key: new URL(ticket.final_url).pathname.slice(1) };
}

/**
 * Stops the worker while it has a job and another one waits: so that the snapshot has both, however fast the machine is.
 *
 * @returns lets it go on
 */
async function stopWorkerAtWork(client: Client): Promise<() => void> {
  const { pid } = demo.service.process(/apps\/worker\/src\/main/);
  const generate = (key: string) => client.call('POST', '/v2/generate', { form: PICTURE, key });
  await withClient(demo.databaseUrl, async (database) => {
    for (let round = 0; ; round++) {
      await generate(`running-${round}`);
      signal(pid, 'SIGSTOP');
      const { rows } = await database.query(
        `select from jobs where name = 'generation.run' and started_at is not null`,
      );
      if (rows.length > 0) return;
      signal(pid, 'SIGCONT');
    }
  });
  await generate('waiting');
  return () => void signal(pid, 'SIGCONT');
}

it('restores every row, credit and byte of a backup that was made under load', async () => {
  say(`SEED=${SEED} DURATION=${SECONDS}`);
  const chance = new Chance(SEED);
  const client = new Client([demo.baseUrl], demo.token);
  await client.call('POST', '/v2/personas', { form: { name: 'First' }, key: 'first' });
  const { body } = await client.call('POST', '/boards', { form: { name: 'Board' }, key: 'board' });
  await client.call('POST', `/boards/${body.board.id}/media`, { form: {}, key: 'media' });
  const deleted = await personaWithFile(client);
  const uploader = new Uploader(client, chance.fork('uploads'), 50);
  while (uploader.files.length === 0) await uploader.work();
  const generator = new Generator(client, chance.fork('generations'), 400, 'generations', Infinity, 12);
  const boards = new BoardKeeper(client, chance.fork('boards'), () => uploader.files.map(({ url }) => url));
  const actors = [uploader, generator, boards, new PersonaOwner(client, chance.fork('personas'))];
  const load = actors.map(async (actor) => {
    while (!client.isOver) {
      await actor.work().catch((error: unknown) => {
        if (!client.isOver) throw error;
      });
      await sleep(2 * chance.next() * actor.meanPauseMs);
    }
  });
  await sleep(SECONDS * 1000);
  const goOn = await stopWorkerAtWork(client);
  const { name, seen } = await backUp(async () => {
    goOn();
    await client.call('DELETE', `/v2/personas/${deleted.personaId}`);
    // So long its bytes would be gone by.
    await sleep(3000);
  });
  demo.service.kill();
  client.isOver = true;
  await Promise.all([demo.service.ended(), ...load]);
  expect([...seen.bytes.keys()]).toContain(deleted.key);

  const folder = join(place, 'data');
  const backups = `${demo.folder}-backups`;
  expect(await runCommand({}, 'backup', 'verify', name, '--from', backups)).toMatchObject({ code: 0, out: 'none\n' });
  const restoration = await runCommand({ DATA_DIR: folder }, 'backup', 'restore', name, '--from', backups, '--json');
  expect(restoration).toMatchObject({ code: 0, complaints: '' });
  const state = await stateIn(folder);
  say(`${uploader.files.length} uploads; ${restoration.out}`);
  for (const table of ['files', 'generations', 'credit_entries', 'boards', 'media', 'jobs']) {
    expect([table, seen.rows[table]!.length]).not.toEqual([table, 0]);
  }
  expect(state.rows).toEqual(seen.rows);
  expect([...state.bytes].sort()).toEqual([...seen.bytes].sort());
  // The bytes of a file in the trash are under another key, or are deleted: both happens at once here.
  expect(state.shown.map((key) => state.bytes.get(key))).not.toContain('missing');
  expect(state.shown).toContain(deleted.key);

  const uploaded = uploader.files.map(({ url }) => new URL(url).pathname.slice(1));
  await expectService(
    folder,
    uploaded.map((key) => [key, state.bytes.get(key)] as const).filter(([, hash]) => hash !== undefined),
  );
});

const PICTURE = { model: 'local-image', width: '64', height: '64', prompt: 'lake' };

/**
 * Expects that uploads are served, open work goes on and is charged once, and new work is done.
 *
 * @param files keys, and hashes of their bytes
 */
async function expectService(
  folder: string,
  files: readonly (readonly [key: string, hash: string | undefined])[],
): Promise<void> {
  restored = new StartedService({ DATA_DIR: folder, PORT: String(await freePort()), RATE_LIMIT_PER_MINUTE: '0' });
  const baseUrl = await restored.ready();
  const client = new Client([baseUrl], await demoToken(folder, 'owner'));
  const url = await databaseUrlOf(folder);
  expect(files).not.toEqual([]);
  for (const [key, hash] of files) {
    const read = await client.read(`${baseUrl}/${key}`);
    expect([key, read.status, sha256(read.bytes)]).toEqual([key, 200, hash]);
  }
  expect((await client.call('POST', '/v2/generate', { form: PICTURE, key: 'after' })).status).toBe(202);
  await withClient(url, async (database) => {
    const count = async (states: readonly string[]) => {
      const { rows } = await database.query<{ count: string }>(
        'select count(*) from generations where state = any($1)',
        [states],
      );
      return Number(rows[0]!.count);
    };
    await eventually(async () => (await count(['queued', 'running'])) === 0, { everyMs: 500 });
    const { body } = await client.call('GET', '/v2/credits');
    expect([await count(['failed']), body.credits.used]).toEqual([0, COST * (await count(['succeeded']))]);
  });
  expect(await runCommand({ DATA_DIR: folder }, 'audit')).toMatchObject({ code: 0, out: 'none\n' });
}
