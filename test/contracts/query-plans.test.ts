import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import {
  PostgresBoardViews,
  PostgresCreditLedger,
  PostgresFileRecords,
  PostgresFolders,
  PostgresGenerationViews,
  PostgresMedia,
  PostgresPersonaViews,
  PostgresTokens,
  PostgresUploadRecords,
  type Database,
} from '#adapters/postgres';
import type { TokenHash } from '#identity';
import { anUpload } from '#testing/files';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** Of each large table, in a thousand workspaces. */
const ROWS = 20_000;
const PAGE = { limit: 50, after: null };
const NOW = new Date();
const one = { workspaceId: 1, boardId: 1 };

/** The statements of the calls that come most often. */
const CALLS: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'look up a token': (on) => new PostgresTokens(on).authenticate('00'.repeat(32) as TokenHash, NOW),
  'check a caller': (on) => new PostgresTokens(on).callers([1], NOW),
  'list boards': (on) => new PostgresBoardViews(on).boards(1, PAGE),
  'read a board': (on) => new PostgresBoardViews(on).board(1, 1),
  'list the media of a board': (on) => new PostgresBoardViews(on).media(1, 1, {}, PAGE),
  'list the folders of a board': (on) => new PostgresBoardViews(on).folders(1, 1, PAGE),
  'list what is in a folder': (on) => new PostgresBoardViews(on).folder(1, 1, 1, PAGE),
  'add a folder': (on) => new PostgresFolders(on).add({ ...one, parentId: null, name: 'x', createdAt: NOW }),
  'move media': (on) => new PostgresMedia(on).move(1, 1, [1], null),
  'list personas': (on) => new PostgresPersonaViews(on).personas(1, PAGE),
  'allocate an upload': (on) => new PostgresUploadRecords(on).allocate([anUpload({ workspaceId: 1, userId: 1 })]),
  'find an upload': (on) => new PostgresUploadRecords(on).find(1, 'token'),
  'find a file by its key': (on) => new PostgresFileRecords(on).lockByKey(1, 'key'),
  'list files': (on) => new PostgresFileRecords(on).list(1, 1, PAGE, NOW),
  'list generations': (on) => new PostgresGenerationViews(on).list(1, PAGE),
  'read a generation': (on) => new PostgresGenerationViews(on).get(1, 1),
  'read the credits left': (on) => new PostgresCreditLedger(on).balance(1, '2026-11', 100),
};

describe('no statement of a frequent call reads a whole table', () => {
  let db: TestDatabase;
  let statements: string[];
  beforeAll(async () => {
    db = await createDatabase();
    await fill(db);
    const { database } = db;
    const run = database.run.bind(database) as Database['run'];
    database.run = (statement, values) => {
      statements.push(statement.query.sql);
      return run(statement, values);
    };
    const snapshot = database.snapshot.bind(database) as Database['snapshot'];
    database.snapshot = (reads, values) => {
      statements.push(...Object.values(reads).map(({ query }) => query.sql));
      return snapshot(reads, values);
    };
  });
  afterAll(() => db.drop());

  it.each(Object.keys(CALLS))('%s', async (name) => {
    statements = [];
    // What it makes of these rows does not matter here.
    await CALLS[name]!(db.database).catch(() => {});
    expect(statements).not.toEqual([]);
    for (const statement of statements) expect(await tablesReadWhole(db, statement)).toEqual([]);
  });

  it('detects a statement that reads the whole table', async () => {
    const statement = `select id from generations where model = $1`;
    expect(await tablesReadWhole(db, statement)).toEqual(['generations']);
  });

  it.each(['check a caller', 'move media'])(
    '%s: its array of ids does not make it planned for each call',
    async (name) => {
      const { database } = db;
      statements = [];
      const planned = await database.transaction(async () => {
        // Five are planned with their values in any case.
        for (let call = 0; call < 6; call++) await CALLS[name]!(database);
        const plans = sql<{ isPlannedOnce: boolean }>`
        select generic_plans > 0 as "isPlannedOnce" from pg_prepared_statements where statement = ${statements[0]}`;
        return (await plans.execute(database.kysely)).rows;
      });
      expect(planned).toEqual([{ isPlannedOnce: true }]);
    },
  );
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Node[];
}

/** By the plan that serves all values of the parameters. */
async function tablesReadWhole({ query }: TestDatabase, statement: string): Promise<string[]> {
  const [row] = await query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
    `explain (generic_plan, format json) ${statement}`,
  );
  const scans = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(scans)];
  const whole = scans(row!['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'] === 'Seq Scan');
  return whole.map((node) => node['Relation Name']!);
}

async function fill({ pool }: TestDatabase): Promise<void> {
  const client = await pool.connect();
  const rows = `generate_series(1, ${ROWS}) n`;
  const workspace = '1 + n % 1000';
  const statements = [
    `insert into users (email, created_at) select n || '@example.com', now() from ${rows}`,
    `insert into workspaces (kind, plan, created_at) select 'personal', 'free', now() from ${rows}`,
    `insert into memberships (workspace_id, user_id, is_team, role, joined_at)
     select n, n, false, 'owner', now() from ${rows}`,
    `insert into api_tokens (user_id, name, hash, created_at) select n, 'a', sha256(n::text::bytea), now() from ${rows}`,
    `insert into personas (workspace_id, created_by, name, created_at, updated_at)
     select ${workspace}, ${workspace}, 'Ada', now(), now() from ${rows}`,
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
     select ${workspace}, 1 + n % 20, 'output', 'files/' || n || '/a.png', 'a.png', 1, 'image/png', now() from ${rows}`,
    `insert into uploads (workspace_id, user_id, persona_id, token, filename, state, created_at, expires_at)
     select ${workspace}, ${workspace}, n, n::text, 'a.png', 'allocated', now(), now() from ${rows}`,
    `insert into generations (workspace_id, user_id, persona_id, model, kind, state, parameters, cost, created_at)
     select ${workspace}, ${workspace}, n, 'm', 'image', 'canceled', '{}', 4, now() from ${rows}`,
    `insert into generation_outputs (generation_id, position, file_id, content_type)
     select n, 0, n, 'image/png' from ${rows}`,
    `insert into generation_thumbnails (generation_id, position, file_id, width, height)
     select n, 0, n, 1, 1 from ${rows}`,
    `insert into generation_inputs (generation_id, input, position, url)
     select n, 'references', 1, 'https://example.com' from ${rows}`,
    `insert into trainings (workspace_id, persona_id, source_url, state, created_at, picture_version)
     select ${workspace}, n, 'https://example.com', 'created', now(), 1 from ${rows}`,
    `insert into boards (workspace_id, created_by, name, created_at)
     select ${workspace}, ${workspace}, 'Moods', now() from ${rows}`,
    `insert into folders (board_id, name, created_at) select n, 'Drafts', now() from ${rows}`,
    `insert into media (board_id, created_by, state, created_at) select n, 1, 'created', now() from ${rows}`,
    `insert into media_files (media_id, file_id) select n, n from ${rows}`,
    `insert into credit_months (workspace_id, month, used) select n, date '2026-11-01', 1 from ${rows}`,
  ];
  try {
    // Checks of references would take most of the time.
    await client.query('set session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
    await client.query('analyze');
  } finally {
    client.release(true);
  }
}
