import { RecordedAuditLog } from '#testing/audit-log';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { creditStoreOn, type CreditStore } from '../../../test/support/credit-store.ts';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { Credits } from './credits.ts';

const plans = {
  free: { id: 'free', monthlyCredits: 100, teams: false },
  pro: { id: 'pro', monthlyCredits: 2000, teams: false },
};

describe("a workspace's credits", () => {
  let db: TestDatabase;
  let store: CreditStore;
  beforeAll(async () => {
    db = await createDatabase();
    store = creditStoreOn(db.database);
  });
  afterAll(() => db.drop());

  async function setUp(used: number) {
    const { ledger, unitOfWork } = store;
    const clock = new ManualClock(new Date('2026-03-31T23:59:59.999Z'));
    const { workspaceId, userId } = await store.newWorkspace();
    const [generationId] = await store.newGenerations(workspaceId, userId, 1);
    const reservation = { workspaceId, userId, generationId: generationId!, month: '2026-03' as const, amount: used };
    await unitOfWork.run(() => ledger.reserve(reservation, 2000));
    return { credits: new Credits(ledger, plans, new RecordedAuditLog(), unitOfWork, clock), clock, workspaceId };
  }

  it('are the credits of its plan less those used this month, in UTC', async () => {
    const { credits, clock, workspaceId } = await setUp(30);
    const march = { month: '2026-03', allocation: 100, used: 30, available: 70 };
    expect(await credits.current(workspaceId, 'free')).toEqual(march);
    expect(await credits.current(workspaceId, 'pro')).toMatchObject({ allocation: 2000, available: 1970 });
    clock.advance(0.001);
    const april = { month: '2026-04', allocation: 100, used: 0, available: 100 };
    expect(await credits.current(workspaceId, 'free')).toEqual(april);
  });

  it('grow by a grant for this month: 1 to 1,000,000,000, with a reason', async () => {
    const { credits, workspaceId } = await setUp(30);
    const grant = (amount: number, reason = 'sorry') =>
      credits.grant({ key: `${workspaceId}-${amount}`, workspaceId, amount, reason });
    await grant(1);
    expect(await credits.current(workspaceId, 'free')).toMatchObject({ allocation: 101, available: 71 });
    await grant(1_000_000_000);
    for (const amount of [0, 1.5, -1, 1_000_000_001]) {
      await expect(grant(amount)).rejects.toMatchObject({ fields: { amount: expect.anything() } });
    }
    await grant(2, 'x'.repeat(500));
    for (const reason of ['', ' ', 'x'.repeat(501)]) {
      await expect(grant(3, reason)).rejects.toMatchObject({ fields: { reason: expect.anything() } });
    }
    const { allocation } = await credits.current(workspaceId, 'free');
    expect(allocation).toBe(100 + 1 + 1_000_000_000 + 2);
  });
});
