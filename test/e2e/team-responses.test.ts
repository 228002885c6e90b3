/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { emailOf } from '#identity';
import { anActor } from '#testing/identity';
import {
  teamCreditsResponse,
  teamInfoResponse,
  teamUsageResponse,
  type TeamReading,
} from '../../apps/api/src/team/team.dto.ts';

const actor = anActor({ userId: 7, role: 'admin', plan: 'enterprise', isTeam: true });
const overview = { membersCount: 3, owner: emailOf('grace@example.com'), used: 1250, granted: 5000 };
const plans = {
  free: { id: 'free', monthlyCredits: 100, teams: true },
  enterprise: { id: 'enterprise', monthlyCredits: 20_000, teams: true },
};
const reading = (differences: Partial<TeamReading> = {}): TeamReading => {
  return { actor, overview, plans, now: new Date('2026-11-30T23:59:59.999Z'), ...differences };
};

describe('reads of a team', () => {
  it('has the credits of the plan and the granted ones, less the used ones, and the days left', () => {
    expect(teamInfoResponse(reading()).credits).toEqual({
      plan: 'enterprise',
      monthly_allocation: 25_000,
      used_this_month: 1250,
      remaining: 23_750,
      usage_percentage: 5,
      days_left_in_month: 1,
    });
  });

  it('has a subscription of the calendar month, and none on the free plan', () => {
    const now = new Date('2026-12-01T00:00:00Z');
    const [start, end] = [now, new Date('2027-01-01T00:00:00Z')];
    expect(teamCreditsResponse(reading({ now })).subscription).toEqual({
      plan: 'enterprise',
      period_start_at: start,
      period_end_at: end,
    });
    expect(teamCreditsResponse(reading({ actor: { ...actor, plan: 'free' } })).subscription).toBeNull();
    expect(teamUsageResponse('2026-12', { totalUsed: 0, members: [] }, { used: 0, quota: null }).period).toEqual({
      start_at: start,
      end_at: end,
    });
  });

  it.each([
    ['owner', true, true],
    ['admin', true, true],
    ['member', true, false],
    ['owner', false, false],
  ] as const)('lets the %s of a team (%s) add members: %s', (role, isTeam, expected) => {
    const info = teamInfoResponse(reading({ actor: { ...actor, role, isTeam } }));
    expect(info).toMatchObject({ can_add_members: expected, user_level: role, is_team: isTeam });
  });
});
