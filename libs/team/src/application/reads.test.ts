import { describe, expect, it } from '@jest/globals';
import { emailOf, type Actor, type Plans } from '#identity';
import { InMemoryCreditLedger } from '#testing/credits';
import { ManualClock } from '#testing/kernel';
import type { TeamViews } from '../ports/team-views.ts';
import { ReadTeamCredits } from './read-team-credits.ts';
import { ReadTeamInfo } from './read-team-info.ts';
import { ReadTeamUsage } from './read-team-usage.ts';

const plans: Plans = {
  free: { id: 'free', monthlyCredits: 100, teams: true },
  enterprise: { id: 'enterprise', monthlyCredits: 20_000, teams: true },
};
const actor: Actor = {
  userId: 7,
  workspaceId: 1,
  role: 'admin',
  plan: 'enterprise',
  isTeam: true,
  tokenId: 1,
};
const owner = emailOf('grace@example.com');

/** What is read at that moment, of a team that has used so much. */
function at(time: string, { used = 0, granted = 0 } = {}) {
  const clock = new ManualClock(new Date(time));
  const asked: unknown[][] = [];
  const views: TeamViews = {
    overview: async (...args) => {
      asked.push(args);
      return { membersCount: 3, owner, used, granted };
    },
    usage: async (...args) => {
      asked.push(args);
      return { totalUsed: used, members: [] };
    },
  };
  const ledger = new InMemoryCreditLedger();
  return {
    asked,
    ledger,
    info: new ReadTeamInfo(views, plans, clock),
    credits: new ReadTeamCredits(ledger, plans, clock),
    usage: new ReadTeamUsage(views, clock),
  };
}

describe('the credits of a team', () => {
  it('are those of the plan and what was granted, less what is used, in the month of the moment', async () => {
    const { info, asked } = at('2026-11-30T23:59:59Z', { used: 1250, granted: 5000 });
    expect((await info.run(actor)).credits).toEqual({
      plan: 'enterprise',
      monthlyAllocation: 25_000,
      usedThisMonth: 1250,
      remaining: 23_750,
      usagePercentage: 5,
      daysLeftInMonth: 1,
    });
    expect(asked).toEqual([[1, '2026-11']]);
  });

  it('are all there again when the month has turned', async () => {
    const reservation = {
      workspaceId: 1,
      userId: 7,
      generationId: 1,
      month: '2026-11',
      amount: 400,
    } as const;
    for (const [time, remaining, daysLeft] of [
      ['2026-11-30T23:59:59.999Z', 19_600, 1],
      ['2026-12-01T00:00:00.000Z', 20_000, 31],
    ] as const) {
      const { credits, ledger } = at(time);
      await ledger.reserve(reservation, 20_000);
      const read = await credits.run(actor);
      expect(read.credits).toMatchObject({ remaining, daysLeftInMonth: daysLeft });
      expect(read.subscription?.period.startAt).toEqual(new Date(`${time.slice(0, 7)}-01T00:00:00Z`));
    }
  });

  it('come without a subscription on the plan that costs nothing', async () => {
    const { credits } = at('2026-11-21T07:30:00Z');
    expect((await credits.run({ ...actor, plan: 'free' })).subscription).toBeNull();
  });
});

describe('a place in a team', () => {
  it.each([
    ['owner', true, true],
    ['admin', true, true],
    ['member', true, false],
    ['owner', false, false],
  ] as const)('as its %s, of a team: %s, lets add members: %s', async (role, isTeam, canAddMembers) => {
    const { info } = at('2026-11-21T07:30:00Z');
    expect(await info.run({ ...actor, role, isTeam })).toMatchObject({
      role,
      isTeam,
      canAddMembers,
      membersCount: 3,
      owner,
      userId: 7,
    });
  });
});

describe('usage', () => {
  it('is of the current month, or of one that has begun; a member sees their own', async () => {
    const { usage, asked } = at('2026-11-21T07:30:00Z');
    await usage.run(actor, null);
    await usage.run({ ...actor, role: 'owner' }, '2026-10');
    const { period } = await usage.run({ ...actor, role: 'member' }, '2025-12');
    expect(asked).toEqual([
      [1, '2026-11', null],
      [1, '2026-10', null],
      [1, '2025-12', 7],
    ]);
    expect(period).toEqual({
      startAt: new Date('2025-12-01T00:00:00Z'),
      endAt: new Date('2026-01-01T00:00:00Z'),
    });
    await expect(usage.run(actor, '2026-12')).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
