/** @tier test */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresRetention } from '#adapters/postgres';
import { creditStoreOn } from '../support/credit-store.ts';
import { createDatabase, newWorkspace, type TestDatabase } from '../support/database.ts';

/** How the rows of each table come to their end: a new table has to say so here. */
const ENDS: Readonly<Record<string, string>> = {
  audit_log: 'forgotten after 400 days, or as AUDIT_DAYS says',
  account_confirmations: 'used, replaced, or with their user: one a user and purpose',
  api_tokens: 'revoked, or forgotten 30 days after they expired',
  batches: 'kept: what their generations belong to',
  board_looks: 'deleted when the look ends, or forgotten a minute after their process was killed',
  boards: 'deleted by their users, then purged',
  catalogue: 'one row',
  catalogue_models: 'deleted by operators; replaced revisions a week later, once no open generation names them',
  catalogue_providers: 'deleted by operators',
  comments: 'deleted by their authors, or with their media',
  credit_entries: 'kept: the ledger',
  credit_months: 'kept: a row a workspace and month',
  credit_usage: 'kept: a row a user and month',
  decisions: 'with their media',
  customer_credits: 'kept: a row a customer and month',
  customers: 'kept: a row a label, with their workspace',
  discarded_objects: 'swept',
  downloads: 'forgotten with the next one of their user after they expired, or with their workspace',
  event_counts: 'kept: a row a workspace',
  events: 'forgotten after 30 days, or with a person whose name they have',
  exports: 'forgotten 30 days after they ended; their zips are deleted after a day, or with their user',
  file_variants: 'with their picture, or their file',
  files: 'temporary ones swept, others discarded when nothing needs them',
  folders: 'with their board',
  generation_inputs: 'with their generation',
  generation_outputs: 'with their file',
  generation_thumbnails: 'with their file, or that of their output',
  generations: 'kept: what the ledger is about',
  idempotency_keys: 'forgotten after a day, or as IDEMPOTENCY_TTL_SECONDS says',
  identities: 'unlinked, or with their user',
  inbox_entries: 'with their event, comment or decision, or with their user',
  inbox_mails: 'forgotten 30 days after the last one, or with their user or workspace',
  inbox_settings: 'with their user: one a kind',
  invitations: 'forgotten 30 days after they ended or expired',
  job_queues: 'kept: a row a queue',
  jobs: 'removed when they are done or have failed',
  library_filling: 'one row',
  library_items: 'with their file',
  library_tags: 'with their workspace',
  library_words: 'with their workspace',
  machine_tokens: 'revoked, or forgotten 30 days after they expired',
  log_in_challenges: 'used, or forgotten with the next one after they expired',
  media: 'with their board',
  media_files: 'with their media',
  media_reviews: 'with their media',
  memberships: 'with their user or workspace',
  migrations: 'kept: a row each',
  notes: 'deleted by members, or with their folder or board',
  oauth_grants: 'ended by their users, or with their token 30 days after its last refresh',
  paused_providers: 'deleted with the next call that succeeds, or when a process starts',
  personas: 'deleted by their users, then purged',
  presets: 'deleted by their users, or with their workspace',
  rate_limits: 'cleared by what counts, an hour after they expired',
  reconciliation: 'one row',
  recovery_codes: 'used, replaced, or with the two-factor of their user',
  review_mails: 'of 0.2: with their board, or with their user',
  review_notices: 'of 0.2: with their comment or decision, or with their user',
  saved_searches: 'deleted by their users, or with their workspace',
  share_guests: 'with their link; above 1,000 of a link the one that looked longest ago',
  share_media: 'with their link, or their media',
  share_openings: 'with their link',
  share_picture_files: 'with their picture, or their file',
  share_pictures: 'with their link, their media, or their files',
  shares: 'deleted by their users, forgotten 30 days after they ended, or with what they show',
  sign_in_links: 'forgotten with the next link after they expired, or with their user',
  storage_use: 'kept: a row a workspace',
  style_pictures: 'with their style',
  styles: 'with their persona',
  submissions: 'with their generation',
  token_budgets: 'kept: a row a token with a budget and month',
  trainings: 'with their persona',
  trials: 'forgotten after a day, with their outputs',
  trash_rows: 'of 0.2, empty',
  trash: 'restored, deleted for good, or forgotten when it expires',
  two_factors: 'turned off, or with their user',
  uploads: 'swept a day after the allocation, or with their persona',
  users: 'kept: an account',
  vendor_doubts: 'cleared by a call that succeeds and by a new revision, or an hour later with the next refusal',
  user_preferences: 'with their user',
  webhook_deliveries: 'forgotten after 30 days',
  webhook_endpoints: 'deleted by their users, or with their workspace; 20 of a workspace at most',
  webhook_secrets: 'kept: a row a workspace',
  workspaces: 'kept: an account',
};

const NOW = new Date('2026-03-14T09:26:53.589Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

describe('retention', () => {
  let db: TestDatabase;
  let userId: number;
  let workspaceId: number;
  beforeEach(async () => {
    db = await createDatabase();
    ({ userId, workspaceId } = await newWorkspace(db.database));
  });
  afterEach(() => db.drop());

  const names = async (sql: string) => (await db.query<{ name: string }>(sql)).map(({ name }) => name);
  const forget = () => new PostgresRetention(db.database, 400).forget(NOW);

  it('has an end for the rows of every table', async () => {
    const tables = await names(`select tablename as name from pg_tables where schemaname = 'public'`);
    expect(tables.sort()).toEqual(Object.keys(ENDS).sort());
  });

  it('forgets tokens that expired thirty days ago, and no others', async () => {
    await db.query(
      `insert into api_tokens (user_id, name, hash, created_at, expires_at)
       select $1, name, convert_to(name, 'UTF8'), now(), expires_at
       from unnest($2::text[], $3::timestamptz[]) token (name, expires_at)`,
      [userId, ['endless', 'good', 'expired', 'forgotten'], [null, daysAgo(-1), daysAgo(29.999), daysAgo(30)]],
    );
    expect(await forget()).toBe(1);
    expect(await names('select name from api_tokens order by id')).toEqual(['endless', 'good', 'expired']);
    expect(await forget()).toBe(0);
  });

  it('forgets invitations that were over thirty days ago, however that came, and no others', async () => {
    for (const [name, state, endedAt, expiresAt] of [
      ['pending', 'pending', null, daysAgo(-1)],
      ['expired', 'pending', null, daysAgo(29.999)],
      ['accepted', 'accepted', daysAgo(29.999), daysAgo(25)],
      ['expired long ago', 'pending', null, daysAgo(30)],
      ...['accepted', 'declined', 'revoked'].map((state) => ['over', state, daysAgo(30), daysAgo(25)]),
    ]) {
      await db.query(
        `insert into invitations (workspace_id, email, role, invited_by, state, created_at, expires_at, ended_at)
         values ($1, $2, 'member', $3, $4, now(), $5, $6)`,
        [workspaceId, name, userId, state, expiresAt, endedAt],
      );
    }
    expect(await forget()).toBe(4);
    const left = await names('select email as name from invitations order by id');
    expect(left).toEqual(['pending', 'expired', 'accepted']);
  });

  it('forgets calls of webhooks that were made thirty days ago, and no others', async () => {
    const [generation] = await creditStoreOn(db.database).newGenerations(workspaceId, userId, 1);
    await db.query(
      `insert into webhook_deliveries (workspace_id, generation_id, url, message_id, state, created_at)
       select $1, $2, name, name, 'delivered', created_at from unnest($3::text[], $4::timestamptz[]) call (name, created_at)`,
      [workspaceId, generation, ['kept', 'forgotten'], [daysAgo(29.999), daysAgo(30)]],
    );
    expect(await forget()).toBe(1);
    expect(await names('select url as name from webhook_deliveries')).toEqual(['kept']);
  });

  it('forgets series of mails thirty days after the last one, but none with a mail under way', async () => {
    await db.query(
      `insert into inbox_mails (workspace_id, user_id, series, sent_at, is_announced)
       select $1, $2, series, sent_at, is_announced
       from unnest($3::text[], $4::timestamptz[], $5::boolean[]) mails (series, sent_at, is_announced)`,
      [
        ...[workspaceId, userId, ['kept', 'under way', 'first', 'over', 'never sent']],
        ...[
          [daysAgo(29.999), daysAgo(30), null, daysAgo(30), null],
          [false, true, true, false, false],
        ],
      ],
    );
    expect(await forget()).toBe(2);
    expect(await names('select series as name from inbox_mails order by 1')).toEqual(['first', 'kept', 'under way']);
  });

  it('forgets more than a batch, of which several that do so at once take each row once', async () => {
    await db.query(
      `insert into api_tokens (user_id, name, hash, created_at, expires_at)
       select $1, 'old', ('hash ' || n)::bytea, now(), $2 from generate_series(1, 2500) n`,
      [userId, daysAgo(31)],
    );
    const forgotten = await Promise.all([forget(), forget(), forget(), forget()]);
    expect(forgotten.reduce((all, each) => all + each)).toBe(2500);
  });

  it('reads only due rows', async () => {
    await db.query(
      `insert into api_tokens (user_id, name, hash, created_at, expires_at)
       select $1, 'good', ('hash ' || n)::bytea, now(), now() + n * interval '1 minute' from generate_series(1, 20000) n`,
      [userId],
    );
    await db.query(
      `insert into invitations (workspace_id, email, role, invited_by, state, created_at, expires_at, ended_at)
       select $1, 'a' || n || '@example.com', 'member', $2, 'declined', now(), now(), now() + n * interval '1 minute'
       from generate_series(1, 20000) n`,
      [workspaceId, userId],
    );
    await db.query('analyze api_tokens, invitations');
    for (const [index, table, over] of [
      ['api_tokens_expiry', 'api_tokens', 'expires_at'],
      ['invitations_over', 'invitations', 'coalesce(ended_at, expires_at)'],
    ]) {
      const due = `from ${table} where ${over} <= now() - interval '30 days' order by ${over}`;
      const plan = await db.query(`explain (costs off) select id ${due} limit 1000 for update skip locked`);
      expect(JSON.stringify(plan)).toContain(`Index Scan using ${index}`);
    }
  });
});
