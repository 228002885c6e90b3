import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { creditStoreOn, type CreditStore } from '../support/credit-store.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

describe('the audit of the credits', () => {
  let db: TestDatabase;
  let store: CreditStore;
  beforeAll(async () => {
    db = await createDatabase();
    store = creditStoreOn(db.database);
  });
  afterEach(() => db.query('delete from workspaces'));
  afterAll(() => db.drop());

  /** A workspace with a charge of 3, a release, and an open reservation of 4, out of 10 with 5 granted in addition. */
  async function books() {
    const { ledger, unitOfWork } = store;
    const { workspaceId, userId } = await store.newWorkspace();
    const [charged, released, open] = (await store.newGenerations(workspaceId, userId, 3)) as [number, number, number];
    const month = '2026-03';
    const reserve = (generationId: number, amount: number) =>
      unitOfWork.run(() => ledger.reserve({ workspaceId, userId, generationId, month, amount }, 10));
    await ledger.grant({ key: String(workspaceId), workspaceId, month, amount: 5, reason: 'test' });
    await reserve(charged, 3);
    await reserve(released, 8);
    await ledger.charge(charged);
    await ledger.release(released);
    await reserve(open, 4);
    return { workspaceId, userId, charged, released, open };
  }

  it('finds every sum that is not the sum of its entries, and no other', async () => {
    const { workspaceId, userId } = await books();
    expect(await store.audit.faults()).toEqual([]);
    await db.query('update credit_months set used = 8, granted = 6 where workspace_id = $1', [workspaceId]);
    await db.query('update credit_usage set used = 6, generations = 3 where workspace_id = $1', [workspaceId]);
    const about = { workspaceId, month: '2026-03' };
    expect(await store.audit.faults()).toEqual([
      { rule: 'member_generations', ...about, about: userId, expected: 2, found: 3 },
      { rule: 'member_used', ...about, about: userId, expected: 7, found: 6 },
      { rule: 'month_granted', ...about, about: null, expected: 5, found: 6 },
      { rule: 'month_used', ...about, about: null, expected: 7, found: 8 },
    ]);
  });

  it('finds sums without entries, and entries without sums', async () => {
    const { workspaceId } = await books();
    await db.query('delete from credit_usage where workspace_id = $1', [workspaceId]);
    await db.query("delete from credit_entries where kind = 'grant' and workspace_id = $1", [workspaceId]);
    expect((await store.audit.faults()).map(({ rule, found }) => [rule, found])).toEqual([
      ['member_generations', 0],
      ['member_used', 0],
      ['month_granted', 5],
    ]);
  });

  it('finds ends that are wrong, too many, or of nothing', async () => {
    const { workspaceId, userId, charged, released, open } = await books();
    const end = (key: string, generationId: number, kind: string, amount: number) =>
      db.query(
        `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
         values ($1, $2, $3, $4, '2026-03-01', $5, $6, now())`,
        [key, workspaceId, userId, generationId, kind, amount],
      );
    await end(`again:${charged}`, charged, 'settle', 0);
    await end(`wrong:${open}`, open, 'release', -5);
    await db.query("update credit_entries set amount = 1 where key = 'end:' || $1::bigint", [charged]);
    await db.query("delete from credit_entries where key = 'reserve:' || $1::bigint", [released]);
    const ofReservations = (await store.audit.faults()).filter(({ rule }) => rule.startsWith('reservation'));
    expect(ofReservations.map(({ rule, about, expected, found }) => [rule, about, expected, found])).toEqual([
      ['reservation_end', charged, 0, 1],
      ['reservation_end', released, null, -8],
      ['reservation_end', open, -4, -5],
      ['reservation_ends', charged, 1, 2],
    ]);
  });
});
