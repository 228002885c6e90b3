import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAccounts, PostgresRetention } from '#adapters/postgres';
import { someone } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** How the rows of each table come to their end: a new table has to say so here. */
const ENDS: Readonly<Record<string, string>> = {
  api_tokens: 'revoked, or forgotten 30 days after they expired',
  boards: 'deleted by their users, then purged',
  credit_entries: 'kept: the ledger',
  credit_months: 'kept: a row a workspace and month',
  credit_usage: 'kept: a row a user and month',
  discarded_objects: 'swept',
  files: 'temporary ones swept, others discarded when nothing needs them',
  folders: 'with their board',
  generation_outputs: 'with their file',
  generations: 'kept: what the ledger is about',
  idempotency_keys: 'forgotten after a day, or as IDEMPOTENCY_TTL_SECONDS says',
  invitations: 'forgotten 30 days after they ended or expired',
  jobs: 'removed when they are done or given up',
  media: 'with their board',
  media_files: 'with their media',
  memberships: 'with their user or workspace',
  migrations: 'kept: a row each',
  personas: 'deleted by their users, then purged',
  rate_limits: 'cleared by what counts, an hour after they expired',
  reconciliation: 'one row',
  trainings: 'with their persona',
  uploads: 'swept a day after the allocation, or with their persona',
  users: 'kept: an account',
  workspaces: 'kept: an account',
};

const NOW = new Date('2026-03-14T09:26:53.589Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

describe('retention', () => {
  let db: TestDatabase;
  let user: { id: number; workspaceId: number };
  beforeEach(async () => {
    db = await createDatabase();
    const opened = await new PostgresAccounts(db.database).open(someone());
    user = { id: opened.user.id, workspaceId: opened.workspaceId };
  });
  afterEach(() => db.drop());

  const names = async (sql: string): Promise<string[]> =>
    (await db.query<{ name: string }>(sql)).map(({ name }) => name);

  it('has an end for the rows of every table', async () => {
    const tables = await names(`select tablename as name from pg_tables where schemaname = 'public'`);
    expect(tables.sort()).toEqual(Object.keys(ENDS).sort());
  });

  it('forgets tokens that expired thirty days ago, and no others', async () => {
    const token = (name: string, expiresAt: Date | null) =>
      db.query(
        `insert into api_tokens (user_id, name, hash, created_at, expires_at)
         values ($1, $2::text, convert_to($2::text, 'UTF8'), now(), $3)`,
        [user.id, name, expiresAt],
      );
    await token('endless', null);
    await token('good', daysAgo(-1));
    await token('expired', daysAgo(29.999));
    await token('forgotten', daysAgo(30));
    expect(await new PostgresRetention(db.database).forget(NOW)).toBe(1);
    expect(await names('select name from api_tokens order by id')).toEqual(['endless', 'good', 'expired']);
    expect(await new PostgresRetention(db.database).forget(NOW)).toBe(0);
  });

  it('forgets invitations that were over thirty days ago, however that came, and no others', async () => {
    const invitation = (name: string, state: string, endedAt: Date | null, expiresAt: Date) =>
      db.query(
        `insert into invitations (workspace_id, email, role, invited_by, state, created_at, expires_at, ended_at)
         values ($1, $2, 'member', $3, $4, now(), $5, $6)`,
        [user.workspaceId, name, user.id, state, expiresAt, endedAt],
      );
    await invitation('pending', 'pending', null, daysAgo(-1));
    await invitation('expired', 'pending', null, daysAgo(29.999));
    await invitation('answered', 'accepted', daysAgo(29.999), daysAgo(25));
    await invitation('expired long ago', 'pending', null, daysAgo(30));
    for (const state of ['accepted', 'declined', 'revoked'])
      await invitation(`${state} long ago`, state, daysAgo(30), daysAgo(25));
    expect(await new PostgresRetention(db.database).forget(NOW)).toBe(4);
    const left = await names('select email as name from invitations order by id');
    expect(left).toEqual(['pending', 'expired', 'answered']);
  });

  it('forgets more than a batch, of which several that do so at once take each row once', async () => {
    await db.query(
      `insert into api_tokens (user_id, name, hash, created_at, expires_at)
       select $1, 'old', ('hash ' || n)::bytea, now(), $2 from generate_series(1, 2500) n`,
      [user.id, daysAgo(31)],
    );
    const forgotten = await Promise.all(
      Array.from({ length: 4 }, () => new PostgresRetention(db.database).forget(NOW)),
    );
    expect(forgotten.reduce((all, each) => all + each)).toBe(2500);
  });

  it('looks only at what is due', async () => {
    await db.query(
      `insert into api_tokens (user_id, name, hash, created_at, expires_at)
       select $1, 'good', ('hash ' || n)::bytea, now(), now() + n * interval '1 minute' from generate_series(1, 20000) n`,
      [user.id],
    );
    await db.query(
      `insert into invitations (workspace_id, email, role, invited_by, state, created_at, expires_at, ended_at)
       select $1, 'a' || n || '@example.com', 'member', $2, 'declined', now(), now(), now() + n * interval '1 minute'
       from generate_series(1, 20000) n`,
      [user.workspaceId, user.id],
    );
    await db.query('analyze api_tokens, invitations');
    for (const [index, condition] of [
      ['api_tokens_expiry', `api_tokens where expires_at <= now() - interval '30 days' order by expires_at`],
      [
        'invitations_over',
        `invitations where coalesce(ended_at, expires_at) <= now() - interval '30 days'
         order by coalesce(ended_at, expires_at)`,
      ],
    ]) {
      const plan = await db.query(`explain (costs off) select id from ${condition} limit 1000 for update skip locked`);
      expect(JSON.stringify(plan)).toContain(`Index Scan using ${index}`);
    }
  });
});
