/** @tier test */
import { afterEach, describe, expect, it } from '@jest/globals';
import { creditStoreOn } from '../support/credit-store.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const db = await suiteDatabase();
const store = creditStoreOn(db.database);

describe('the audit of the credits', () => {
  afterEach(async () => {
    await db.query('delete from workspaces');
    await db.query('delete from token_budgets');
  });

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

  describe('of customers', () => {
    it('finds sums that are not those of the entries, in a month and in all, and rebuilds them', async () => {
      const { ledger, unitOfWork, customers } = store;
      const { workspaceId, userId } = await store.newWorkspace();
      const ids = (await store.newGenerations(workspaceId, userId, 4)) as [number, number, number, number];
      const month = '2026-03';
      const reserve = (generationId: number, amount: number) =>
        unitOfWork.run(() =>
          ledger.reserve({ workspaceId, userId, generationId, month, amount, customer: 'ada' }, 100),
        );
      for (const id of ids.slice(0, 3)) await reserve(id, 4);
      await ledger.charge(ids[0], 3);
      await ledger.release(ids[1]);
      expect(await store.audit.faults()).toEqual([]);
      await db.query(`update customer_credits set used = 9, reserved = 1, generations = 7 where month = '2026-03-01'`);
      const fault = { workspaceId, about: null };
      expect(await store.audit.faults()).toEqual([
        { rule: 'customer_generations', ...fault, month, expected: 2, found: 7 },
        { rule: 'customer_reserved', ...fault, month, expected: 4, found: 1 },
        { rule: 'customer_used', ...fault, month, expected: 7, found: 9 },
      ]);
      await db.query('delete from customer_credits');
      expect((await store.audit.faults()).map(({ rule, month: of }) => [rule, of])).toEqual([
        ['customer_generations', '0001-01'],
        ['customer_generations', month],
        ['customer_reserved', '0001-01'],
        ['customer_reserved', month],
        ['customer_used', '0001-01'],
        ['customer_used', month],
      ]);
      await unitOfWork.run(() => store.audit.rebuildSums());
      expect(await store.audit.faults()).toEqual([]);
      await customers.save({ workspaceId, customer: 'ada', createdAt: new Date() }, { totalCredits: 6 }, month);
      await expect(reserve(ids[3], 0)).rejects.toMatchObject({ code: 'budget_exceeded', budget: 'customer' });
    });

    it('knows ends by a version that does not know customers', async () => {
      const { workspaceId, userId } = await store.newWorkspace();
      const [generation] = await store.newGenerations(workspaceId, userId, 1);
      const reservation = {
        workspaceId,
        userId,
        generationId: generation!,
        month: '2026-03',
        amount: 4,
        customer: 'ada',
      } as const;
      await store.unitOfWork.run(() => store.ledger.reserve(reservation, 100));
      for (const attempt of ['first', 'second']) {
        await db.query(
          `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
           values ('end:' || $1::bigint, $2, $3, $1, '2026-03-01', 'release', -4, now()) on conflict do nothing`,
          [generation, workspaceId, userId],
        );
        expect([attempt, (await store.audit.faults()).filter(({ rule }) => rule.startsWith('customer'))]).toEqual([
          attempt,
          [],
        ]);
      }
    });
  });

  describe('of budgets of tokens', () => {
    const month = '2026-03';

    /** A token that has used 5 of 10: 3 that are charged, and 2 that are reserved. */
    async function withBudget() {
      const { ledger, unitOfWork } = store;
      const { workspaceId, userId } = await store.newWorkspace();
      const tokenId = await store.newToken(userId);
      const ids = await store.newGenerations(workspaceId, userId, 4);
      const [charged, open, released, next] = ids as [number, number, number, number];
      const budgets = [{ tokenId, monthlyCredits: 10 }];
      const reserve = (generationId: number, amount: number) =>
        unitOfWork.run(() => ledger.reserve({ workspaceId, userId, generationId, month, amount, budgets }, 100));
      for (const [id, amount] of [
        [charged, 4],
        [open, 2],
        [released, 4],
      ] as const)
        await reserve(id, amount);
      await ledger.charge(charged, 3);
      await ledger.release(released);
      return { workspaceId, userId, tokenId, reserve, next };
    }
    const used = async (tokenId: number) => (await store.views.usedOfBudgets([tokenId], month)).get(tokenId);

    it('finds what is not the sum of its entries, also where it is missing, until the token is gone', async () => {
      const [more, missing, revoked] = [await withBudget(), await withBudget(), await withBudget()];
      expect(await store.audit.faults()).toEqual([]);
      await db.query('update token_budgets set used = 6 where token_id = any($1)', [[more.tokenId, revoked.tokenId]]);
      await db.query('delete from token_budgets where token_id = $1', [missing.tokenId]);
      await db.query('delete from api_tokens where id = $1', [revoked.tokenId]);
      const fault = { rule: 'budget_used', workspaceId: null, month, expected: 5 };
      expect(await store.audit.faults()).toEqual([
        { ...fault, about: more.tokenId, found: 6 },
        { ...fault, about: missing.tokenId, found: 0 },
      ]);
    });

    it('finds what is used of nothing', async () => {
      const { tokenId } = await withBudget();
      await db.query(`update credit_entries set token_ids = null where token_ids = array[$1::bigint]`, [tokenId]);
      expect(await store.audit.faults()).toMatchObject([
        { rule: 'budget_used', about: tokenId, expected: 0, found: 5 },
      ]);
    });

    it('rebuilds them, and a budget that is exceeded then allows nothing more', async () => {
      const [wrong, missing, exceeded] = [await withBudget(), await withBudget(), await withBudget()];
      await db.query('update token_budgets set used = 9 where token_id = $1', [wrong.tokenId]);
      await db.query('delete from token_budgets where token_id = $1', [missing.tokenId]);
      const [generation] = await store.newGenerations(wrong.workspaceId, wrong.userId, 1);
      await db.query(
        `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, token_ids, created_at)
         values ('reserve:' || $1::bigint, $2, $3, $1, '2026-03-01', 'reserve', 20, array[$4::bigint], now())`,
        [generation, wrong.workspaceId, wrong.userId, exceeded.tokenId],
      );
      await store.unitOfWork.run(() => store.audit.rebuildSums());
      expect(await store.audit.faults()).toEqual([]);
      expect(await Promise.all([wrong, missing, exceeded].map(({ tokenId }) => used(tokenId)))).toEqual([5, 5, 25]);
      await expect(exceeded.reserve(exceeded.next, 1)).rejects.toMatchObject({ code: 'budget_exceeded' });
      expect(await wrong.reserve(wrong.next, 5)).toBe('reserved');
    });
  });
});
