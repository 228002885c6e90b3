import { invalidField, type Clock } from '#kernel';
import { planOf, type Plans } from '../domain/plans.ts';
import type { Teams } from '../ports/teams.ts';

/** Opens a team for its owner. */
export class OpenTeam {
  readonly #teams: Teams;
  readonly #plans: Plans;
  readonly #clock: Clock;

  constructor(teams: Teams, plans: Plans, clock: Clock) {
    this.#teams = teams;
    this.#plans = plans;
    this.#clock = clock;
  }

  /**
   * @returns the team's workspace id
   * @throws DomainError `validation_failed` when the plan is no team plan; `in_other_team`; `not_found`
   */
  async run(request: { readonly ownerUserId: number; readonly plan: string }): Promise<number> {
    if (!planOf(this.#plans, request.plan).teams) throw invalidField('plan', 'must be a team plan');
    return this.#teams.open({ ...request, openedAt: this.#clock.now() });
  }
}
