import { monthOf } from '#credits';
import { assertMay, may, planOf, type Actor, type Email, type Plans } from '#identity';
import type { Clock, Role } from '#kernel';
import { teamCredits, type TeamCredits } from '../domain/team-credits.ts';
import type { TeamViews } from '../ports/team-views.ts';

export interface TeamInfo {
  readonly isTeam: boolean;
  readonly credits: TeamCredits;
  readonly membersCount: number;
  readonly canAddMembers: boolean;
  readonly owner: Email;
  /** Of the caller. */
  readonly role: Role;
  /** The caller. */
  readonly userId: number;
}

/** Tells callers about their team and their place in it. */
export class ReadTeamInfo {
  readonly #views: TeamViews;
  readonly #plans: Plans;
  readonly #clock: Clock;

  constructor(views: TeamViews, plans: Plans, clock: Clock) {
    this.#views = views;
    this.#plans = plans;
    this.#clock = clock;
  }

  /** @throws DomainError `plan_required` */
  async run(actor: Actor): Promise<TeamInfo> {
    assertMay('team.read', actor);
    const now = this.#clock.now();
    const { used, granted, ...overview } = await this.#views.overview(actor.workspaceId, monthOf(now));
    const allocation = planOf(this.#plans, actor.plan).monthlyCredits + granted;
    return {
      ...overview,
      isTeam: actor.isTeam,
      credits: teamCredits(actor.plan, { allocation, used }, now),
      canAddMembers: actor.isTeam && may('team.add_member', actor),
      role: actor.role,
      userId: actor.userId,
    };
  }
}
