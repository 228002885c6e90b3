import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';
import {
  connectPostgres,
  PostgresBoardViews,
  PostgresFolders,
  PostgresMedia,
  PostgresTokens,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { Folders, MediaItems } from '#board';
import { tokenSecretOf, type Actor } from '#identity';
import { systemClock } from '#kernel';
import { CheckedUnitOfWork, requestCaller } from '../../apps/wiring/src/checked-unit-of-work.ts';
import type { BareRoute } from './bare-server.ts';
import { onBenchService } from './bench-service.ts';
import { boardLimits } from './limits.ts';
import { megabytes, median, processorMs } from './measure.ts';
import { sqlOn, type Sql } from '../support/database.ts';

const CALLERS = 32;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ROUND_MS = 1500;
const BOARDS = 2_000;
const MEDIA_EACH = 200;
const FOLDERS_EACH = 20;
const MOST_MEMORY = 250e6;

/** Of the boards, all of which come in turn. */
let turn = 0;

/** A board with a folder and a media on it. */
interface Place {
  readonly board: number;
  readonly folder: number;
  readonly media: number;
}

/** What is requested of the service, and of the bare handlers. */
interface Case {
  /** The least ratio to the limit. */
  readonly least: number;
  readonly path: (place: Place) => string;
  readonly bare: (place: Place) => string;
  readonly method?: 'POST' | 'PUT';
  readonly body?: (place: Place) => string;
  /** How many boards are requested in turn; all by default. */
  readonly boards?: number;
}

const BOARD = { path: ({ board }: Place) => `/boards/${board}`, bare: ({ board }: Place) => `/board/${board}` };

const CASES: Readonly<Record<string, Case>> = {
  list: { least: 0.75, path: () => '/boards?limit=50', bare: () => '/list' },
  // So many that none is kept until its turn comes again.
  cold: { least: 0.85, ...BOARD },
  warm: { least: 5, ...BOARD, boards: 100 },
  folder: {
    least: 0.7,
    method: 'POST',
    path: ({ board }) => `/boards/${board}/folders`,
    body: () => 'name=x',
    bare: ({ board }) => `/folder/${board}`,
  },
  move: {
    least: 0.65,
    method: 'PUT',
    path: ({ board, media }) => `/boards/${board}/media/${media}/move`,
    body: ({ folder }) => `folder_id=${folder}`,
    bare: ({ board, media, folder }) => `/move/${board}/${media}/${folder}`,
  },
  // Its limit needs neither a token nor a statement.
  me: { least: 0.75, path: () => '/v2/auth/me', bare: () => '/health/live' },
};

/** A server that is measured. */
interface Contender {
  readonly name: string;
  readonly pool: Pool;
  readonly pid: number;
  readonly path: Case['path'];
}

/** One round. */
interface Round {
  readonly perSecond: number;
  /** Microseconds of processor time for each request. */
  readonly own: number;
  readonly postgres: number;
}

/**
 * Requests a second for boards, beside two bare handlers of node:http and pg: the limit sends one statement a request,
 * written by hand; the other sends the statements of the service, one after the other. The names of cases may follow
 * that of the bench.
 */
await onBenchService(
  async ({ service, databaseUrl, token, pool, apiMemory }) => {
    const connection = await connectPostgres(databaseUrl, { poolSize: 2 });
    const hash = new RandomTokenSecrets().hash(tokenSecretOf(token.slice(4)));
    const authenticate = () => new PostgresTokens(connection.database).authenticate(hash, new Date());
    const actor = (await authenticate())!;
    const places = await seed(sqlOn(connection.database), actor);
    const routes = await recordRoutes(connection.database, actor, authenticate, places[0]!);
    const limit = await startBare('limit', databaseUrl, boardLimits(Buffer.from(hash, 'hex')));
    const same = await startBare('same', databaseUrl, routes);
    const ours = { name: 'service', pool, pid: service.process(/apps\/api\//).pid };
    const postgres = () => {
      const running = service.processes().filter(({ command }) => /^postgres|bin\/postgres/.test(command));
      return processorMs(running.map(({ pid }) => pid));
    };
    const chosen = process.argv.slice(3);
    for (const [name, each] of Object.entries(CASES)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      const others = name === 'me' ? [{ ...ours, name: 'live' }] : [limit, same];
      const contenders = [{ ...ours, path: each.path }, ...others.map((other) => ({ ...other, path: each.bare }))];
      const rounds = await measure(contenders, each, places, token, postgres);
      const statements = routes[each.bare(places[0]!).split('/')[1]!]?.statements.length ?? 1;
      report(name, each.least, contenders, rounds, statements);
    }
    const memory = await apiMemory();
    console.log(`memory of the API ${megabytes(memory)} (at most ${megabytes(MOST_MEMORY)})`);
    if (memory > MOST_MEMORY) process.exitCode = 1;
    for (const bare of [limit, same]) bare.stop();
    await connection.close();
  },
  { connections: CALLERS },
);

/** Rounds of each contender, in turn. */
async function measure(
  contenders: readonly Contender[],
  of: Case,
  places: readonly Place[],
  token: string,
  postgresMs: () => number,
): Promise<Round[][]> {
  const rounds: Round[][] = contenders.map(() => []);
  for (const each of contenders) await load(each, of, places, token, 2 * ROUND_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, each] of contenders.entries()) {
      const [ownBefore, postgresBefore] = [processorMs([each.pid]), postgresMs()];
      const done = await load(each, of, places, token, ROUND_MS);
      rounds[index]!.push({
        perSecond: (done / ROUND_MS) * 1000,
        own: ((processorMs([each.pid]) - ownBefore) / done) * 1000,
        postgres: ((postgresMs() - postgresBefore) / done) * 1000,
      });
    }
  }
  return rounds;
}

/** @returns how many requests were answered */
async function load(
  { pool, path }: Contender,
  { method, body, boards }: Case,
  places: readonly Place[],
  token: string,
  milliseconds: number,
): Promise<number> {
  const form = body && { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { authorization: `Bearer ${token}`, ...form };
  const until = performance.now() + milliseconds;
  let done = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      const place = places[turn++ % (boards ?? places.length)]!;
      const response = await pool.request({ path: path(place), method: method ?? 'GET', headers, body: body?.(place) });
      if (response.statusCode >= 400) throw new Error(`${response.statusCode} ${await response.body.text()}`);
      await response.body.dump();
      done++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return done;
}

function report(
  name: string,
  least: number,
  contenders: readonly Contender[],
  rounds: readonly Round[][],
  statements: number,
): void {
  const of = (index: number, key: keyof Round) => median(rounds[index]!.map((round) => round[key]));
  const ratio = of(0, 'perSecond') / of(1, 'perSecond');
  console.log(`${name}: ${ratio.toFixed(2)} of the limit (at least ${least}), ${statements} statements`);
  for (const [index, contender] of contenders.entries()) {
    const [rate, own, postgres] = (['perSecond', 'own', 'postgres'] as const).map((key) => of(index, key).toFixed(0));
    console.log(`  ${contender.name.padEnd(8)} ${rate!.padStart(6)}/s, ${own} µs and ${postgres} µs of PostgreSQL`);
  }
  if (ratio < least) process.exitCode = 1;
}

/** The statements that the service sends for each case, the look-up of the token first. */
async function recordRoutes(
  database: Database,
  actor: Actor,
  authenticate: () => Promise<unknown>,
  { board, media, folder }: Place,
): Promise<Record<string, BareRoute>> {
  const views = new PostgresBoardViews(database);
  const inner = new PostgresUnitOfWork(database);
  const unitOfWork = new CheckedUnitOfWork(inner, new PostgresTokens(database), {}, systemClock);
  const jobs = { announce: () => Promise.reject(new Error('nothing is announced')) };
  const folders = new Folders(new PostgresFolders(database), jobs, unitOfWork, systemClock);
  const files = { resolve: () => Promise.reject(new Error('no file is used')) };
  const store = new PostgresMedia(database);
  const items = new MediaItems({ media: store, files, jobs, unitOfWork, clock: systemClock });
  const work: Record<string, readonly [status: number, run: () => Promise<unknown>]> = {
    list: [200, () => views.boards(actor.workspaceId, { limit: 50, after: null })],
    board: [200, () => views.board(actor.workspaceId, board, [])],
    folder: [201, () => folders.create(actor, board, { name: 'x', parentId: null })],
    move: [200, () => items.move(actor, board, [media], folder)],
  };
  const routes: Record<string, BareRoute> = {};
  for (const [name, [status, run]] of Object.entries(work)) {
    const statements = await recorded(async () => {
      await authenticate();
      await requestCaller.run({ actor, action: undefined }, run);
    });
    routes[name] = { status, statements };
  }
  return routes;
}

/** What `work` sends, over whichever connection. */
async function recorded(work: () => Promise<unknown>): Promise<BareRoute['statements']> {
  const statements: { text: string; values: unknown[] }[] = [];
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const record = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first, values] = args as [string | { text: string; values?: unknown[] }, unknown];
    const text = typeof first === 'string' ? first : first.text;
    const given = typeof first === 'string' ? values : first.values;
    statements.push({ text, values: Array.isArray(given) ? given : [] });
    return query.apply(this, args);
  };
  Object.assign(pg.Client.prototype, { query: record });
  await work();
  Object.assign(pg.Client.prototype, { query });
  return statements;
}

async function startBare(name: string, databaseUrl: string, routes: Record<string, BareRoute>) {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), {
    execArgv: ['--conditions=x12-source', '--experimental-transform-types'],
    serialization: 'advanced',
  });
  child.send({ databaseUrl, routes });
  const [{ port }] = (await once(child, 'message')) as [AddressInfo];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CALLERS, keepAliveMaxTimeout: 500 });
  return { name, pool, pid: child.pid!, stop: () => void pool.close().then(() => child.kill()) };
}

/** Boards with folders and media. @returns a folder and a media of each */
async function seed({ query }: Sql, actor: Actor): Promise<Place[]> {
  await query(
    `insert into boards (workspace_id, created_by, name, folders_count, media_count, created_at)
     select $1, $2, 'Board ' || n, $4, $5, now() from generate_series(1, $3::integer) n`,
    [actor.workspaceId, actor.userId, BOARDS, FOLDERS_EACH, MEDIA_EACH],
  );
  await query(
    `insert into folders (board_id, name, created_at)
     select b.id, 'Folder ' || n, now() from boards b, generate_series(1, $1::integer) n`,
    [FOLDERS_EACH],
  );
  await query(
    `insert into media (board_id, created_by, file_key, state, content_type, width, height, placeholder, thumbnails, created_at)
     select b.id, $1, 'files/' || md5(n::text) || '/photo.jpg', 'processed', 'image/jpeg', 4000, 3000,
            'k0oGLQaSVsN0BVhn2oq2Z5SQUQcZ', '[{"key":"files/abc/t.webp","width":320,"height":240}]', now()
       from boards b, generate_series(1, $2::integer) n`,
    [actor.userId, MEDIA_EACH],
  );
  await query('analyze');
  return query<Place>(
    `select id as board, (select min(id) from folders where board_id = b.id) as folder,
            (select min(id) from media where board_id = b.id) as media from boards b where workspace_id = $1`,
    [actor.workspaceId],
  );
}
