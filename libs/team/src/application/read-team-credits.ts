import { monthOf, periodOf, type CreditLedger, type Period } from '#credits';
import { assertMay, FREE_PLAN, planOf, type Actor, type Plans } from '#identity';
import type { Clock } from '#kernel';
import { teamCredits, type TeamCredits } from '../domain/team-credits.ts';

export interface TeamSubscription {
  /** Plan identifier. */
  readonly plan: string;
  readonly period: Period;
}

/** Tells callers what their team has left this month, and what it subscribes to. */
export class ReadTeamCredits {
  readonly #ledger: CreditLedger;
  readonly #plans: Plans;
  readonly #clock: Clock;

  constructor(ledger: CreditLedger, plans: Plans, clock: Clock) {
    this.#ledger = ledger;
    this.#plans = plans;
    this.#clock = clock;
  }

  /**
   * @returns with a subscription of `null` on the plan that costs nothing
   * @throws DomainError `plan_required`
   */
  async run(actor: Actor): Promise<{ credits: TeamCredits; subscription: TeamSubscription | null }> {
    assertMay('team.read', actor);
    const now = this.#clock.now();
    const month = monthOf(now);
    const { monthlyCredits } = planOf(this.#plans, actor.plan);
    const balance = await this.#ledger.balance(actor.workspaceId, month, monthlyCredits);
    return {
      credits: teamCredits(actor.plan, balance, now),
      subscription: actor.plan === FREE_PLAN ? null : { plan: actor.plan, period: periodOf(month) },
    };
  }
}
