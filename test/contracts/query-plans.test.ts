/** @tier deep, 7 s, about libs/adapters/postgres */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import pg from 'pg';
import * as adapters from '#adapters/postgres';
import type { Email, TokenHash } from '#identity';
import type { Share } from '#sharing';
import { anUpload } from '#testing/files';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** Rows of each large table, in a thousand workspaces. */
const ROWS = 20_000;
const PAGE = { limit: 50, after: null };
const LATER = { limit: 50, after: 1 };
const NOW = new Date();
const one = { workspaceId: 1, boardId: 1 };
const NOBODY = 'nobody@example.com' as Email;
const A_SHARE: Share = {
  ...{ id: 1, workspaceId: 1, createdBy: 1, of: 'board', boardId: 1, folderId: null, name: 'Moods', allow: [] },
  ...{ passwordHash: null, passwordVersion: 1, watermark: 'Draft', label: null, expiresAt: null },
};
const A_COMMENT: Parameters<adapters.PostgresReviews['add']>[0] = {
  ...{
    mediaId: 1,
    parentId: null,
    createdBy: 1,
    guest: null,
    text: 'x',
    pin: { kind: 'none' },
    drawing: null,
    mentions: [],
  },
  createdAt: NOW,
};
const AN_ERASURE = { state: 'requested', userId: 2, requestedAt: NOW, workspaceIds: [] } as const;

/** The statements of the calls that come most often. */
const CALLS: Readonly<Record<string, (database: adapters.Database) => Promise<unknown>>> = {
  'look up a token': (on) => new adapters.PostgresTokens(on).authenticate('00'.repeat(32) as TokenHash, NOW),
  'check a caller': (on) => new adapters.PostgresTokens(on).callers([1], NOW),
  'list boards': (on) => new adapters.PostgresBoardViews(on).boards(1, PAGE),
  'read a board': (on) => new adapters.PostgresBoardViews(on).board(1, 1),
  'list the media of a board': (on) => new adapters.PostgresBoardViews(on).media(1, 1, {}, PAGE),
  'list the media of a board by hand': (on) =>
    new adapters.PostgresBoardViews(on).media(1, 1, { sort: 'manual' }, LATER),
  'list the media of a folder by decision': (on) =>
    new adapters.PostgresBoardViews(on).media(1, 1, { sort: 'decision', folderId: 1 }, LATER),
  'search the media of a board': (on) =>
    new adapters.PostgresBoardViews(on).media(1, 1, { text: 'foxx', tags: ['a'], sort: 'name' }, LATER),
  'read the order of a folder': (on) => new adapters.PostgresPlaces(on).order(1, 1),
  'find the folders of media': (on) => new adapters.PostgresPlaces(on).foldersOf(1, [1, 2]),
  'save places': (on) =>
    new adapters.PostgresPlaces(on).save([
      { kind: 'media', id: 1, place: 1 },
      { kind: 'note', id: 1, place: 2 },
    ]),
  'find a note': (on) => new adapters.PostgresNotes(on).find(1, 1),
  'look for a note': (on) => new adapters.PostgresBoardViews(on).exists('note', 1, 1),
  'list the folders of a board': (on) => new adapters.PostgresBoardViews(on).folders(1, 1, PAGE),
  'list what is in a folder': (on) => new adapters.PostgresBoardViews(on).folder(1, 1, 1, PAGE),
  'add a folder': (on) => new adapters.PostgresFolders(on).add({ ...one, parentId: null, name: 'x', createdAt: NOW }),
  'move media': (on) => new adapters.PostgresMedia(on).move(1, 1, [1], null),
  'list comments': (on) => new adapters.PostgresReviewViews(on).comments({ ...one, mediaId: 1 }, PAGE),
  'read a comment': (on) => new adapters.PostgresReviewViews(on).comment({ ...one, mediaId: 1 }, 1),
  'list decisions': (on) => new adapters.PostgresReviewViews(on).decisions({ ...one, mediaId: 1 }, PAGE),
  'read what media show of their review': (on) => new adapters.PostgresReviewViews(on).summaries([1, 2, 3]),
  'add a comment': (on) => new adapters.PostgresReviews(on).add(A_COMMENT),
  'remove a comment': (on) => new adapters.PostgresReviews(on).remove({ id: 1, mediaId: 1 }),
  'list personas': (on) => new adapters.PostgresPersonaViews(on).personas(1, PAGE),
  'allocate an upload': (on) =>
    new adapters.PostgresUploadRecords(on).allocate([anUpload({ workspaceId: 1, userId: 1 })]),
  'find an upload': (on) => new adapters.PostgresUploadRecords(on).find(1, 'token'),
  'find a file by its key': (on) => new adapters.PostgresFileRecords(on).lockByKey(1, 'key'),
  'list files': (on) => new adapters.PostgresFileRecords(on).list(1, 1, PAGE, NOW),
  'list generations': (on) => new adapters.PostgresGenerationViews(on).list(1, PAGE),
  'list presets': (on) => new adapters.PostgresPresets(on).list(1, PAGE),
  'find a preset': (on) => new adapters.PostgresPresets(on).find(1, 1000),
  'lock the presets of a workspace': (on) => new adapters.PostgresPresets(on).lockAll(1),
  'read the lineage of a generation': (on) => new adapters.PostgresGenerationViews(on).lineage(1, 5000),
  'find an output': (on) => new adapters.PostgresGenerations(on).hasOutput(1, { generationId: 5000, output: 0 }),
  'read a generation': (on) => new adapters.PostgresGenerationViews(on).get(1, 1),
  'list batches': (on) => new adapters.PostgresBatchViews(on).list(1, PAGE),
  'read a batch': (on) => new adapters.PostgresBatchViews(on).get(1, 1),
  'list the cells of a batch': (on) => new adapters.PostgresBatchViews(on).cells(1, 1, PAGE, null),
  'list the failed cells of a batch': (on) => new adapters.PostgresBatchViews(on).cells(1, 1, PAGE, 'failed'),
  'list the generations of a batch': (on) => new adapters.PostgresGenerationViews(on).list(1, PAGE, { batchId: 1 }),
  'lock a batch': (on) => new adapters.PostgresBatches(on).lock(1),
  'look for an open cell of a batch': (on) => new adapters.PostgresBatches(on).hasOpenCells(1),
  'list the open cells of a batch': (on) => new adapters.PostgresBatches(on).openCells(1, 100),
  'list the held cells of a batch': (on) => new adapters.PostgresBatches(on).heldCells(1),
  'list the failed cells to retry': (on) => new adapters.PostgresBatches(on).failedCells(1, [1]),
  'list the webhook deliveries of a batch': (on) => new adapters.PostgresDeliveries(on).list(1, { batchId: 1 }, PAGE),
  'list what an endpoint is to get': (on) => new adapters.PostgresEndpoints(on).due(1, NOW, [], 64),
  'search the library': (on) => new adapters.PostgresLibraryViews(on).search(1, {}, PAGE),
  'search the library by words': (on) =>
    new adapters.PostgresLibraryViews(on).search(1, { text: 'foxx', model: 'm' }, PAGE),
  'list the items of a generation': (on) =>
    new adapters.PostgresLibraryViews(on).search(1, { generationId: 5000 }, PAGE),
  'search the library by colour and look': (on) =>
    new adapters.PostgresLibraryViews(on).search(1, { color: '#ff0000', like: 1000 }, PAGE),
  'list tags': (on) => new adapters.PostgresLibraryViews(on).tags(1, 't', 10, null),
  'open a share link': (on) => new adapters.PostgresGuests(on).findShare('00'.repeat(32) as TokenHash),
  'know a guest': (on) => new adapters.PostgresGuests(on).find(1, '00'.repeat(32) as TokenHash),
  'count an opening': (on) => new adapters.PostgresGuests(on).countOpening(1, 1, NOW),
  'list what a shared board shows': (on) => new adapters.PostgresSharedContents(on).items(A_SHARE, {}, PAGE),
  'list what a shared folder shows': (on) =>
    new adapters.PostgresSharedContents(on).items({ ...A_SHARE, of: 'folder', folderId: 1 }, {}, PAGE),
  'list shared items': (on) =>
    new adapters.PostgresSharedContents(on).items({ ...A_SHARE, of: 'media', boardId: null }, {}, PAGE),
  'list share links': (on) => new adapters.PostgresShares(on).list(1, { boardId: null, createdBy: null }, PAGE),
  'tag items': (on) => new adapters.PostgresLibraryMarks(on).save(1, [{ fileId: 1000, tags: ['a'], rating: 1 }]),
  'claim pictures to look at': (on) => new adapters.PostgresFileRecords(on).claimUnseen(NOW, NOW, 10),
  'list saved searches': (on) => new adapters.PostgresSavedSearches(on).list(1, 51, ''),
  'read the credits left': (on) => new adapters.PostgresCreditLedger(on).balance(1, '2026-11', 100),
};

/** The calls that come rarely, but read the audit log, the largest table. */
const CALLS_ON_THE_AUDIT_LOG: Readonly<Record<string, (on: adapters.Database, pool: pg.Pool) => Promise<unknown>>> = {
  'clear the entries of a user': (on) => new adapters.PostgresErasures(on).clearAuditLog(1, 1000),
  'clear the entries of a workspace': (on) => new adapters.PostgresErasedWorkspaces(on).clearAuditLog(1, 1000),
  'clear the names of the tokens of a user': (on) => new adapters.PostgresErasures(on).request(AN_ERASURE, NOBODY, []),
  'export the entries of a user': async (_, pool) => {
    const snapshot = await new adapters.PostgresPersonalData(pool).open(1);
    const { rows } = snapshot!.documents.find(({ name }) => name === 'audit_log')!;
    for await (const page of rows()) expect(page.length).toBeGreaterThan(0);
    await snapshot!.close();
  },
};

describe('no statement reads a whole table', () => {
  let db: TestDatabase;
  const sent = jest.spyOn(pg.Client.prototype, 'query');
  const statements = () =>
    sent.mock.calls
      .map(([statement]: readonly unknown[]) =>
        typeof statement === 'string' ? statement : (statement as { text: string }).text,
      )
      .map((text) => text.replace(/^declare .* cursor for /, ''))
      .filter((text) => /^(with|select|insert|update|delete) /.test(text));
  beforeAll(async () => {
    db = await createDatabase();
    await fill(db);
  }, 120_000);
  beforeEach(() => void sent.mockClear());
  afterAll(() => db.drop());

  it.each(Object.keys(CALLS))('of a frequent call: %s', async (name) => {
    // The result for these rows does not matter here.
    await CALLS[name]!(db.database).catch(() => {});
    const made = statements();
    expect(made).not.toEqual([]);
    for (const statement of made) expect(await tablesReadWhole(db, statement)).toEqual([]);
  });

  it.each(Object.keys(CALLS_ON_THE_AUDIT_LOG))('of the audit log: %s', async (name) => {
    await CALLS_ON_THE_AUDIT_LOG[name]!(db.database, db.pool);
    const made = statements().filter((statement) => statement.includes('audit_log'));
    expect(made).not.toEqual([]);
    for (const statement of made) expect(await tablesReadWhole(db, statement)).toEqual([]);
  });

  it('detects a statement that reads the whole table', async () => {
    const statement = `select id from generations where model = $1`;
    expect(await tablesReadWhole(db, statement)).toEqual(['generations']);
  });

  it.each(['check a caller', 'move media'])(
    '%s: its array of ids does not make it planned for each call',
    async (name) => {
      const { database } = db;
      const planned = await database.transaction(async () => {
        // Five are planned with their values in any case.
        for (let call = 0; call < 6; call++) await CALLS[name]!(database);
        const plans = sql<{ isPlannedOnce: boolean }>`
        select generic_plans > 0 as "isPlannedOnce" from pg_prepared_statements where statement = ${statements()[0]}`;
        return (await plans.execute(database.kysely)).rows;
      });
      expect(planned).toEqual([{ isPlannedOnce: true }]);
    },
  );

  it('list what an endpoint is to get: what comes first is looked up for each delivery, not joined', async () => {
    await CALLS['list what an endpoint is to get']!(db.database);
    const plan = await planOf(db, statements()[0]!);
    expect(plan.map((node) => node['Node Type'])).not.toContain('Nested Loop');
  });
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Node[];
}

/** The nodes of the plan that serves all values of the parameters. */
async function planOf({ query }: TestDatabase, statement: string): Promise<Node[]> {
  const [row] = await query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
    `explain (generic_plan, format json) ${statement}`,
  );
  const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return nodes(row!['QUERY PLAN'][0].Plan);
}

async function tablesReadWhole(db: TestDatabase, statement: string): Promise<string[]> {
  const whole = (await planOf(db, statement)).filter((node) => node['Node Type'] === 'Seq Scan');
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
    `insert into presets (workspace_id, created_by, name, model, parameters, persona_id, created_at, updated_at)
     select ${workspace}, ${workspace}, n::text, 'm', '{}', n, now(), now() from ${rows}`,
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
     select ${workspace}, 1 + n % 20, 'output', 'files/' || n || '/a.png', 'a.png', 1, 'image/png', now() from ${rows}`,
    `insert into uploads (workspace_id, user_id, persona_id, token, filename, state, created_at, expires_at)
     select ${workspace}, ${workspace}, n, n::text, 'a.png', 'allocated', now(), now() from ${rows}`,
    `insert into generations
       (workspace_id, user_id, persona_id, model, kind, state, parameters, cost, created_at, batch_id, cell)
     select ${workspace}, ${workspace}, n, 'm', 'image', 'canceled', '{}', 4, now(), n, 1 from ${rows}`,
    `insert into batches (workspace_id, user_id, name, state, total, cost, created_at, ended_at)
     select ${workspace}, ${workspace}, 'Foxes', 'ended', 1, 4, now(), now() from ${rows}`,
    `insert into jobs (name, payload, due_at, created_at, batch_id)
     select 'generation.run', '{"generationId": 1}', now(), now(), n from ${rows}`,
    `insert into events (workspace_id, number, type, subject_id, facts, data, created_at)
     select ${workspace}, n, 'board.created', n, '{}', '{}', now() from ${rows}`,
    `insert into webhook_deliveries (workspace_id, batch_id, url, message_id, state, created_at)
     select ${workspace}, n, 'https://example.com', n, 'delivered', now() from ${rows}`,
    `update generations set parent_id = id - 1000, parent_output = 0 where id % 5 = 0 and id > 1000`,
    `insert into generation_outputs (generation_id, position, file_id, content_type)
     select n, 0, n, 'image/png' from ${rows}`,
    `insert into generation_thumbnails (generation_id, position, file_id, width, height)
     select n, 0, n, 1, 1 from ${rows}`,
    'update files set picture_id = id - 1 where id % 3 = 0',
    `insert into generation_inputs (generation_id, input, position, url)
     select n, 'references', 1, 'https://example.com' from ${rows}`,
    `insert into trainings (workspace_id, persona_id, source_url, state, created_at, picture_version)
     select ${workspace}, n, 'https://example.com', 'created', now(), 1 from ${rows}`,
    `insert into styles (workspace_id, persona_id, name, model, trigger, slots, created_at)
     select ${workspace}, n, 'Oils', 'm', 't', '', now() from ${rows}`,
    `insert into style_pictures (style_id, position, training_id, file_id) select n, 1, n, n from ${rows}`,
    `insert into boards (workspace_id, created_by, name, created_at)
     select ${workspace}, ${workspace}, 'Moods', now() from ${rows}`,
    `insert into folders (board_id, name, created_at) select n, 'Drafts', now() from ${rows}`,
    `insert into media (board_id, created_by, state, created_at) select n, 1, 'created', now() from ${rows}`,
    `insert into notes (board_id, created_by, text, place, created_at, updated_at)
     select n, 1, 'Sky', n, now(), now() from ${rows}`,
    `insert into comments (media_id, created_by, text, created_at) select n, 1, 'x', now() from ${rows}`,
    `insert into decisions (media_id, user_id, verdict, created_at) select n, 1, 'approved', now() from ${rows}`,
    `insert into media_reviews (media_id) select n from ${rows}`,
    `insert into media_files (media_id, file_id) select n, n from ${rows}`,
    `insert into shares (workspace_id, created_by, hash, name, allow, created_at)
     select ${workspace}, 1, sha256(n::text::bytea), 'Moods', '{}', now() from ${rows}`,
    `insert into share_media (share_id, media_id) select n, n from ${rows}`,
    `insert into share_guests (share_id, hash, password_version, last_opened_at)
     select n, sha256(n::text::bytea), 1, now() from ${rows}`,
    `insert into share_openings select n, 1, 1, now() from ${rows}`,
    `insert into share_pictures (share_id, media_id) select n, n from ${rows}`,
    `insert into share_picture_files (file_id, share_id, media_id) select n, n, n from ${rows}`,
    `insert into library_items (file_id, workspace_id, kind, origin, words, colors, shape, look_due_at, created_at)
     select n, ${workspace}, 'image', 'output', ('''workspace=' || n || ''' ''fox'':1')::tsvector, '{1}', repeat('01', 32)::bit(64), now(), now()
     from ${rows}`,
    `insert into library_words (workspace_id, word) select ${workspace}, 'word' || n from ${rows}`,
    `insert into library_tags (workspace_id, tag) select ${workspace}, 'tag ' || n from ${rows}`,
    `insert into saved_searches (workspace_id, created_by, name, filter, created_at, updated_at)
     select ${workspace}, n, 'Best ' || n, '{}', now(), now() from ${rows}`,
    `insert into audit_log (workspace_id, user_id, actor, at, action, target_type, target_id, details, address)
     select ${workspace}, ${workspace}, 'user', now(), 'token.create', 'token', n, '{}', '::1' from ${rows}`,
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
