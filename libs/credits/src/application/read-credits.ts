import type { Clock } from '#kernel';
import { FREE_PLAN, planOf, type Actor, type Plans } from '#identity';
import { available } from '../domain/balance.ts';
import { monthOf } from '../domain/month.ts';
import type { CreditLedger } from '../ports/credit-ledger.ts';

/** A workspace's credits as its members see them. */
export interface CreditsView {
  /** This month's allocation. */
  readonly purchased: number;
  /** Reserved or charged of it. */
  readonly used: number;
  readonly available: number;
  /** Plan identifier; `null` on the plan that costs nothing. */
  readonly subscription: string | null;
}

/** Shows callers what their workspace has left this month. */
export class ReadCredits {
  readonly #ledger: CreditLedger;
  readonly #plans: Plans;
  readonly #clock: Clock;

  constructor(ledger: CreditLedger, plans: Plans, clock: Clock) {
    this.#ledger = ledger;
    this.#plans = plans;
    this.#clock = clock;
  }

  async run(actor: Actor): Promise<CreditsView> {
    const { monthlyCredits } = planOf(this.#plans, actor.plan);
    const balance = await this.#ledger.balance(actor.workspaceId, monthOf(this.#clock.now()), monthlyCredits);
    return {
      purchased: balance.allocation,
      used: balance.used,
      available: available(balance),
      subscription: actor.plan === FREE_PLAN ? null : actor.plan,
    };
  }
}
