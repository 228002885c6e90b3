import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'undici';
import {
  connectPostgres,
  PostgresBoardViews,
  PostgresFolders,
  PostgresMedia,
  PostgresTokens,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { tokenSecretOf } from '#identity';
import type { BareRoute } from './bare-server.ts';
import { onBenchService } from './bench-service.ts';
import { sqlOn, type Sql } from '../support/database.ts';
import { median } from './measure.ts';

const CALLERS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const BOARDS = 2_000;
const MEDIA_EACH = 200;
const FOLDERS_EACH = 20;

interface Contender {
  readonly pool: Pool;
  readonly path: string | (() => string);
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Requests a second of boards against a bare node:http + pg handler that sends the same SQL, token included. */
await onBenchService(
  async ({ pool: ours, token, databaseUrl }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const connection = await connectPostgres(databaseUrl, { poolSize: 2 });
    const { database, pool } = connection;
    const secrets = new RandomTokenSecrets();
    const hash = secrets.hash(tokenSecretOf(token.slice(4)));
    const authenticate = () => new PostgresTokens(database).authenticate(hash, new Date());
    const actor = (await authenticate())!;
    const { board, folder, media } = await seed(sqlOn(database), actor);

    /** The statements that `work` sends, token look-up first. */
    const recorded = async (status: number, work: () => Promise<unknown>): Promise<BareRoute> => {
      const statements: { text: string; values: unknown[] }[] = [];
      const query = pool.query.bind(pool);
      Object.assign(pool, {
        query: (text: string, values: unknown[]) => {
          statements.push({ text, values });
          return query(text, values);
        },
      });
      await authenticate();
      await work();
      Object.assign(pool, { query });
      return { status, statements };
    };
    const views = new PostgresBoardViews(database);
    const page = { limit: 50, after: null };
    const routes = {
      list: await recorded(200, () => views.boards(actor.workspaceId, page)),
      board: await recorded(200, () => views.board(actor.workspaceId, board, [])),
      cold: await recorded(200, () => views.board(actor.workspaceId, board, [])),
      known: await recorded(304, () => views.board(actor.workspaceId, board, [1])),
      folder: await recorded(201, () =>
        new PostgresFolders(database).add({
          workspaceId: actor.workspaceId,
          boardId: board + 1,
          parentId: null,
          name: 'x',
          createdAt: new Date(),
        }),
      ),
      move: await recorded(200, () => new PostgresMedia(database).move(actor.workspaceId, board + 2, [media], folder)),
    };
    const bare = await startBare(databaseUrl, routes);
    const theirs = new Pool(bare.url, { connections: CALLERS });

    const etag = (await ours.request({ path: `/boards/${board}`, method: 'GET', headers })).headers.etag as string;
    const first = board - BOARDS / 2;
    let next = 0;
    const cases: Record<string, { least: number; ours: Omit<Contender, 'pool'> }> = {
      list: { least: 0.8, ours: { path: '/boards?limit=50', method: 'GET', headers } },
      board: { least: 0.8, ours: { path: `/boards/${board}`, method: 'GET', headers } },
      // Never the same board twice, so that no response is kept from before.
      cold: { least: 0.7, ours: { path: () => `/boards/${first + (next++ % BOARDS)}`, method: 'GET', headers } },
      known: {
        least: 0,
        ours: { path: `/boards/${board}`, method: 'GET', headers: { ...headers, 'if-none-match': etag } },
      },
      folder: { least: 0.7, ours: { path: `/boards/${board + 1}/folders`, method: 'POST', headers, body: 'name=x' } },
      move: {
        least: 0.7,
        ours: { path: `/boards/${board + 2}/media/${media}/move`, method: 'PUT', headers, body: `folder_id=${folder}` },
      },
    };
    for (const [name, { least, ours: request }] of Object.entries(cases)) {
      const contenders: Contender[] = [
        { pool: ours, ...request },
        { pool: theirs, ...request, path: `/${name}` },
      ];
      for (const contender of contenders) await requestsPerSecond(contender, 500);
      const rates: number[][] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        for (const [index, contender] of contenders.entries())
          rates[index]!.push(await requestsPerSecond(contender, ROUND_MS));
      }
      const [nest, plain] = rates.map(median) as [number, number];
      const ratio = nest / plain;
      console.log(
        `${name.padEnd(7)} ${nest.toFixed(0).padStart(6)}/s, bare ${plain.toFixed(0).padStart(6)}/s, ratio ${ratio.toFixed(2)}${least > 0 ? ` (at least ${least})` : ''}`,
      );
      if (ratio < least) process.exitCode = 1;
    }
    await Promise.all([theirs.close(), connection.close()]);
    bare.child.kill();
  },
  { connections: CALLERS },
);

async function requestsPerSecond(contender: Contender, milliseconds: number): Promise<number> {
  const { pool, path, method, headers, body } = contender;
  const until = performance.now() + milliseconds;
  let done = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < until) {
        const url = typeof path === 'string' ? path : path();
        const response = await pool.request({ path: url, method, headers, body });
        if (response.statusCode >= 400) throw new Error(`${url}: ${response.statusCode} ${await response.body.text()}`);
        await response.body.dump();
        done++;
      }
    }),
  );
  return (done / milliseconds) * 1000;
}

async function startBare(
  databaseUrl: string,
  routes: Record<string, BareRoute>,
): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), {
    execArgv: ['--conditions=x12-source', '--experimental-transform-types'],
  });
  child.send({ databaseUrl, routes });
  const [address] = (await once(child, 'message')) as [AddressInfo];
  return { url: `http://127.0.0.1:${address.port}`, child };
}

/** Many boards; the three that are asked for are in their middle: one to read, two to write to. */
async function seed(
  { query, one }: Sql,
  actor: { workspaceId: number; userId: number },
): Promise<{ board: number; folder: number; media: number }> {
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
  const row = await one<{ board: number }>('select id as board from boards order by id offset $1 limit 1', [
    BOARDS / 2,
  ]);
  const board = row!.board;
  const place = await one<{ folder: number; media: number }>(
    `select (select min(id) from folders where board_id = $1) as folder, (select min(id) from media where board_id = $1) as media`,
    [board + 2],
  );
  return { board, ...place! };
}
