import { monthOf, pastMonth, periodOf, type Period } from '#credits';
import { assertMay, may, type Actor } from '#identity';
import type { Clock } from '#kernel';
import type { TeamUsage, TeamViews } from '../ports/team-views.ts';

/** Tells callers who of their team used how much of a month's credits. */
export class ReadTeamUsage {
  readonly #views: TeamViews;
  readonly #clock: Clock;

  constructor(views: TeamViews, clock: Clock) {
    this.#views = views;
    this.#clock = clock;
  }

  /**
   * @param month `YYYY-MM`; `null` for the current one
   * @returns of the members, the caller alone where their role lets them see no others
   * @throws DomainError `plan_required`; `validation_failed` for a month that has not begun, or is none
   */
  async run(actor: Actor, month: string | null): Promise<TeamUsage & { readonly period: Period }> {
    assertMay('team.read', actor);
    const now = this.#clock.now();
    const asked = month === null ? monthOf(now) : pastMonth(month, now);
    const only = may('team.read_usage_of_others', actor) ? null : actor.userId;
    return { ...(await this.#views.usage(actor.workspaceId, asked, only)), period: periodOf(asked) };
  }
}
