import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  PostgresAccounts,
  PostgresCreditAudit,
  PostgresCreditLedger,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { someone } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../support/database.ts';

describe('the audit of the credits', () => {
  let db: TestDatabase;
  let audit: PostgresCreditAudit;
  beforeAll(async () => {
    db = await createDatabase();
    audit = new PostgresCreditAudit(db.database);
  });
  afterAll(() => db.drop());

  /** A workspace with a charge of 3, a release, and an open reservation of 4, out of 10 with 5 granted on top. */
  async function books() {
    const { user, workspaceId } = await new PostgresAccounts(db.database).open(someone());
    const rows = await db.database.query<{ id: number }>(
      `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
       select $1, $2, 'test', 'image', 'queued', '{}', 1, now() from generate_series(1, 3) returning id`,
      [workspaceId, user.id],
    );
    const [charged, released, open] = rows.map(({ id }) => id) as [number, number, number];
    const ledger = new PostgresCreditLedger(db.database);
    const reserve = (generationId: number, amount: number) =>
      new PostgresUnitOfWork(db.database).run(() =>
        ledger.reserve({ workspaceId, userId: user.id, generationId, month: '2026-03', amount }, 10),
      );
    await ledger.grant({
      key: String(workspaceId),
      workspaceId,
      month: '2026-03',
      amount: 5,
      reason: 'test',
    });
    await reserve(charged, 3);
    await reserve(released, 8);
    await ledger.settle(charged);
    await ledger.release(released);
    await reserve(open, 4);
    return { workspaceId, userId: user.id, charged, released, open };
  }

  it('finds nothing wrong with books that the ledger kept', async () => {
    await books();
    expect(await audit.faults()).toEqual([]);
  });

  it('finds every sum that is not the sum of its entries', async () => {
    const { workspaceId, userId } = await books();
    await db.database.query('update credit_months set used = 8, granted = 6 where workspace_id = $1', [
      workspaceId,
    ]);
    await db.database.query('update credit_usage set used = 6, generations = 3 where workspace_id = $1', [
      workspaceId,
    ]);
    const about = { workspaceId, month: '2026-03' };
    expect(await audit.faults()).toEqual([
      { rule: 'member_generations', ...about, about: userId, expected: 2, found: 3 },
      { rule: 'member_used', ...about, about: userId, expected: 7, found: 6 },
      { rule: 'month_granted', ...about, about: null, expected: 5, found: 6 },
      { rule: 'month_used', ...about, about: null, expected: 7, found: 8 },
    ]);
    await db.database.query('delete from workspaces where id = $1', [workspaceId]);
  });

  it('finds sums without entries, and entries without sums', async () => {
    const { workspaceId } = await books();
    await db.database.query('delete from credit_usage where workspace_id = $1', [workspaceId]);
    await db.database.query("delete from credit_entries where kind = 'grant' and workspace_id = $1", [
      workspaceId,
    ]);
    expect((await audit.faults()).map(({ rule, found }) => [rule, found])).toEqual([
      ['member_generations', 0],
      ['member_used', 0],
      ['month_granted', 5],
    ]);
    await db.database.query('delete from workspaces where id = $1', [workspaceId]);
  });

  it('finds ends that are wrong, too many, or of nothing', async () => {
    const { workspaceId, userId, charged, released, open } = await books();
    const end = (key: string, generationId: number, kind: string, amount: number) =>
      db.database.query(
        `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
         values ($1, $2, $3, $4, '2026-03-01', $5, $6, now())`,
        [key, workspaceId, userId, generationId, kind, amount],
      );
    await end(`again:${charged}`, charged, 'settle', 0);
    await end(`wrong:${open}`, open, 'release', -5);
    await db.database.query("delete from credit_entries where key = 'reserve:' || $1::bigint", [released]);
    const faults = await audit.faults();
    const ofReservations = faults.filter(({ rule }) => rule.startsWith('reservation'));
    expect(ofReservations.map(({ rule, about, expected, found }) => [rule, about, expected, found])).toEqual([
      ['reservation_end', released, null, -8],
      ['reservation_end', open, -4, -5],
      ['reservation_ends', charged, 1, 2],
    ]);
    await db.database.query('delete from workspaces where id = $1', [workspaceId]);
  });
});
