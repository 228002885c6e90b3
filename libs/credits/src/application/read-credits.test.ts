import { describe, expect, it } from '@jest/globals';
import type { Actor, Plans } from '#identity';
import { ManualClock } from '#testing/kernel';
import { InMemoryCreditLedger } from '../testing/index.ts';
import { ReadCredits } from './read-credits.ts';

const plans: Plans = {
  free: { id: 'free', monthlyCredits: 100, teams: false },
  pro: { id: 'pro', monthlyCredits: 2000, teams: false },
};
const actor: Actor = { userId: 1, workspaceId: 1, role: 'owner', plan: 'free', isTeam: false, tokenId: 1 };

describe("a workspace's credits", () => {
  it('are those of its plan, less what is used this month, in UTC', async () => {
    const ledger = new InMemoryCreditLedger();
    const clock = new ManualClock(new Date('2026-03-31T23:59:59.999Z'));
    const credits = new ReadCredits(ledger, plans, clock);
    const reservation = { workspaceId: 1, userId: 1, generationId: 1, month: '2026-03', amount: 30 } as const;
    await ledger.reserve(reservation, 100);
    expect(await credits.run(actor)).toEqual({ purchased: 100, used: 30, available: 70, subscription: null });
    clock.advance(0.001);
    expect(await credits.run(actor)).toEqual({ purchased: 100, used: 0, available: 100, subscription: null });
  });

  it('name the plan that is not free', async () => {
    const credits = new ReadCredits(new InMemoryCreditLedger(), plans, new ManualClock());
    expect(await credits.run({ ...actor, plan: 'pro' })).toMatchObject({
      purchased: 2000,
      subscription: 'pro',
    });
  });

  it('are never less than none, although more is used than a smaller plan gives', async () => {
    const ledger = new InMemoryCreditLedger();
    await ledger.reserve({ workspaceId: 1, userId: 1, generationId: 1, month: '2026-03', amount: 150 }, 2000);
    const credits = new ReadCredits(ledger, plans, new ManualClock());
    expect(await credits.run(actor)).toMatchObject({ purchased: 100, used: 150, available: 0 });
  });
});
