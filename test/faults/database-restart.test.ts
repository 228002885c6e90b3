/** @tier deep, 60 s, about libs/adapters/postgres */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedPostgres } from '#embedded';
import { freePort } from '#process';
import { TICK_MS } from '#review';
import { followBoard, type BoardStream } from '../support/board-stream.ts';
import { callApi } from '../support/call-api.ts';
import { connectDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { Processes, untilReady } from '../support/processes.ts';
import { newMember, newTeam, teamStoresOn, withToken } from '../support/team-store.ts';
/** Longer than a tick of `Presence`: what APIs read and write meanwhile fails, and listeners wait for seconds by then. */
const AWAY_MS = TICK_MS + 1_000;

interface Person {
  readonly userId: number;
  readonly token: string;
}

let folder: string;
let server: EmbeddedPostgres;
/** Two APIs. */
let processes: Processes;
let [one, other] = ['', ''];
let database: TestDatabase;
let [owner, member, leaver] = [] as unknown as [Person, Person, Person];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-database-restart-'));
  await mkdir(join(folder, 'postgres'));
  server = await EmbeddedPostgres.open({ folder: join(folder, 'postgres'), password: 'a test' });
  const url = await server.start();
  const { PATH } = process.env;
  const own = { DATA_DIR: folder, DATABASE_URL: url, DATABASE_POOL_SIZE: '5', RATE_LIMIT_PER_MINUTE: '0' };
  processes = new Processes({ PATH, NODE_ENV: 'production', LOG_LEVEL: 'fatal', ...own });
  await processes.run('service', 'migrate');
  const ports = await Promise.all([freePort(), freePort()]);
  [one, other] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string];
  for (const port of ports) processes.start(`api ${port}`, 'api', { PORT: String(port) });
  await untilReady([one, other]);
  database = await connectDatabase(url, { poolSize: 2 });
  const store = teamStoresOn(database.database);
  const team = await newTeam(store);
  owner = await withToken(store, team.owner);
  member = await withToken(store, await newMember(store, team));
  leaver = await withToken(store, await newMember(store, team));
}, 120_000);
afterAll(async () => {
  await database?.close();
  await processes?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const open: BoardStream[] = [];
afterEach(async () => {
  for (const stream of open) stream.stop();
  await Promise.all(open.splice(0).map(({ closed }) => closed));
});

async function follow(board: number, { token }: Person, at: string): Promise<BoardStream> {
  const stream = await followBoard(at, token, board);
  open.push(stream);
  return stream;
}

const call = (method: string, path: string, json?: object) =>
  callApi(new URL(path, one), method, { token: owner.token, json });

async function killDatabase(signal: NodeJS.Signals): Promise<void> {
  const pid = Number.parseInt(await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, signal);
  await server.ended();
}

/** Changes a board without a signal. */
async function changeUnheard(board: number): Promise<number> {
  const sql = 'update boards set version = version + 1 where id = $1 returning version';
  return (await database.query<{ version: number }>(sql, [board]))[0]!.version;
}

const listeners = () =>
  database.query(`select from pg_stat_activity where datname = current_database() and query like 'listen %'`);

describe('the stream of a board, when its database is killed', () => {
  // Immediate mode; and no mode at all.
  it.each(['SIGQUIT', 'SIGKILL'] as const)(
    'by %s and comes back, goes on with all changes and with who looks at it',
    async (signal) => {
      const board: number = (await call('POST', '/boards', { name: 'Summer' })).body.board.id;
      const item: number = (await call('POST', `/boards/${board}/media`, {})).body.media.id;
      const [here, there] = [await follow(board, owner, one), await follow(board, member, other)];
      const leaving = await follow(board, leaver, other);
      for (const { people } of [here, there]) await eventually(() => people().length === 3);

      await killDatabase(signal);
      leaving.stop();
      await eventually(async () => (await call('GET', '/boards')).status === 503);
      expect((await follow(board, owner, other)).status).toBe(503);
      await sleep(AWAY_MS);
      await server.start();

      const unheard = await changeUnheard(board);
      for (const { until } of [here, there]) await until(({ name, id }) => name === 'changed' && id === unheard);
      await eventually(async () => (await listeners()).length === 2);
      await call('POST', `/boards/${board}/media/${item}/comments`, { text: 'warmer' });
      await call('PUT', `/boards/${board}/media/${item}/decision`, { decision: 'approved' });
      for (const { until, versions } of [here, there]) {
        for (const kind of ['comment', 'decision']) {
          await until(({ name, data }) => name === kind && data.media_id === item);
        }
        expect(versions().at(-1)).toBe(unheard + 2);
      }

      const expected = [owner.userId, member.userId].toSorted();
      for (const { people } of [here, there]) {
        await eventually(() => String(people().toSorted()) === String(expected));
      }
      const back = await follow(board, leaver, other);
      for (const { people } of [here, there]) await eventually(() => people().length === 3);
      // No process has ended.
      expect([here, there, back].map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
    },
  );
});
