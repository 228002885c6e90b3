import { RecordedAuditLog } from '#testing/audit-log';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';
import {
  PostgresEvents,
  connectPostgres,
  PostgresBoardViews,
  PostgresFolders,
  PostgresMedia,
  PostgresPictureNames,
  PostgresTeams,
  PostgresTokens,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { Folders, MediaItems } from '#board';
import { Gate, tokenSecretOf, type Actor } from '#identity';
import { systemClock } from '#kernel';
import { CheckedUnitOfWork, runningRequest } from '../../apps/wiring/src/checked-unit-of-work.ts';
import type { BareRoute } from './bare-server.ts';
import { onBenchService } from './bench-service.ts';
import { CALLERS, compete, postgresTime, report, type Contender } from './contest.ts';
import { boardLimits } from './limits.ts';
import { megabytes } from './measure.ts';
import { sqlOn, type Sql } from '../support/database.ts';

const BOARDS = 2_000;
const MEDIA_EACH = 200;
const FOLDERS_EACH = 20;
const MOST_MEMORY = 250e6;

/** Turn of the boards, all of which come one after the other. */
let turn = 0;

/** A board with a folder and a media on it. */
interface Place {
  readonly board: number;
  readonly folder: number;
  readonly media: number;
}

/** Requests of the service, and of the bare handlers. */
interface Case {
  /** The least ratio to the limit. */
  readonly least: number;
  readonly path: (place: Place) => string;
  readonly bare: (place: Place) => string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: (place: Place) => string;
  /** How many boards are requested in turn; all by default. */
  readonly boards?: number;
}

const FOLDER = {
  method: 'POST',
  path: ({ board }: Place) => `/boards/${board}/folders`,
  body: () => 'name=x',
  bare: ({ board }: Place) => `/folder/${board}`,
} as const;

const BOARD = { path: ({ board }: Place) => `/boards/${board}`, bare: ({ board }: Place) => `/board/${board}` };

const CASES: Readonly<Record<string, Case>> = {
  list: { least: 0.5, path: () => '/boards?limit=50', bare: () => '/list' },
  // So many that none is kept until its turn comes again.
  cold: { least: 0.5, ...BOARD },
  warm: { least: 4, ...BOARD, boards: 100 },
  folder: { least: 0.33, ...FOLDER },
  // All callers wait for the row of one board, in the bare handlers too.
  hot: { least: 0.33, ...FOLDER, boards: 1 },
  move: {
    least: 0.33,
    method: 'PUT',
    path: ({ board, media }) => `/boards/${board}/media/${media}/move`,
    body: ({ folder }) => `folder_id=${folder}`,
    bare: ({ board, media, folder }) => `/move/${board}/${media}/${folder}`,
  },
  // Its limit needs neither a token nor a statement.
  me: { least: 0.75, path: () => '/v2/auth/me', bare: () => '/health/live' },
};

/** A server that is measured. */
interface Server {
  readonly name: string;
  readonly pool: Pool;
  readonly pid: number;
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
    const postgres = await postgresTime(sqlOn(connection.database));
    const chosen = process.argv.slice(3);
    for (const [name, each] of Object.entries(CASES)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      const others = name === 'me' ? [{ ...ours, name: 'live' }] : [limit, same];
      const contenders = [
        contenderOf(ours, each.path, each, places, token),
        ...others.map((other) => contenderOf(other, each.bare, each, places, token)),
      ];
      const statements = routes[each.bare(places[0]!).split('/')[1]!]?.statements.length ?? 1;
      report(`${name}, ${statements} statements`, each.least, await compete(contenders, postgres));
    }
    const memory = await apiMemory();
    console.log(`memory of the API ${megabytes(memory)} (at most ${megabytes(MOST_MEMORY)})`);
    if (memory > MOST_MEMORY) process.exitCode = 1;
    for (const bare of [limit, same]) bare.stop();
    await connection.close();
  },
  { connections: CALLERS },
);

/** A server with the requests of a case, which go to the boards in turn. */
function contenderOf(
  { name, pid, pool }: Server,
  path: Case['path'],
  { method = 'GET', body, boards }: Case,
  places: readonly Place[],
  token: string,
): Contender {
  const form = body && { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { authorization: `Bearer ${token}`, ...form };
  const work = async (): Promise<void> => {
    const place = places[turn++ % (boards ?? places.length)]!;
    const response = await pool.request({ path: path(place), method, headers, body: body?.(place) });
    if (response.statusCode >= 400) throw new Error(`${response.statusCode} ${await response.body.text()}`);
    await response.body.dump();
  };
  return { name, pid, work };
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
  const unitOfWork = new CheckedUnitOfWork(
    inner,
    new Gate(
      new PostgresTokens(database),
      new PostgresTeams(database),
      { plans: {}, requiresVerifiedEmail: false },
      systemClock,
    ),
    10,
  );
  const jobs = { announce: () => Promise.reject(new Error('nothing is announced')) };
  const folders = new Folders(new PostgresFolders(database), jobs, unitOfWork, systemClock, new RecordedAuditLog());
  const files = { resolve: () => Promise.reject(new Error('no file is used')) };
  const store = new PostgresMedia(database);
  const items = new MediaItems({
    auditLog: new RecordedAuditLog(),
    media: store,
    files,
    names: new PostgresPictureNames(database),
    events: new PostgresEvents(database),
    jobs,
    unitOfWork,
    clock: systemClock,
  });
  const work: Record<string, readonly [status: number, run: () => Promise<unknown>]> = {
    list: [200, () => views.boards(actor.workspaceId, { limit: 50, after: null })],
    board: [200, () => views.board(actor.workspaceId, board)],
    folder: [201, () => folders.create(actor, board, { name: 'x', parentId: null })],
    move: [200, () => items.move(actor, board, [media], folder)],
  };
  const routes: Record<string, BareRoute> = {};
  for (const [name, [status, run]] of Object.entries(work)) {
    const call = async (): Promise<void> => {
      await authenticate();
      await runningRequest.run({ caller: { actor, requirements: { scopes: [] } } }, run);
    };
    // The first call may open connections, and sends their settings.
    await call();
    routes[name] = { status, statements: await recorded(call) };
  }
  return routes;
}

/** Statements that `work` sends, over whichever connection. */
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
    `insert into files (workspace_id, origin, key, filename, size, content_type, width, height, placeholder, thumbnails, created_at)
     select $1, 'import', 'files/' || md5(n::text) || '/photo.jpg', 'photo.jpg', 1, 'image/jpeg', 4000, 3000,
            'k0oGLQaSVsN0BVhn2oq2Z5SQUQcZ', '[{"key":"files/abc/t.webp","width":320,"height":240}]', now()
       from generate_series(1, $2::integer) n`,
    [actor.workspaceId, MEDIA_EACH],
  );
  // The limit reads the columns of the item.
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
