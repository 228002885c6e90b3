import { invalidField, type Clock } from '#kernel';
import { monthOf, type Month } from '../domain/month.ts';
import type { CreditLedger } from '../ports/credit-ledger.ts';

const MAX_GRANT = 1_000_000_000;
const MAX_REASON = 500;

/** Adds credits to what a workspace has this month. */
export class GrantCredits {
  readonly #ledger: CreditLedger;
  readonly #clock: Clock;

  constructor(ledger: CreditLedger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /**
   * @param request.key chosen by whoever grants: the same key grants once
   * @returns the month that has them
   * @throws DomainError `validation_failed`, `not_found`
   */
  async run(request: {
    readonly workspaceId: number;
    readonly amount: number;
    readonly reason: string;
    readonly key: string;
  }): Promise<Month> {
    const { amount, reason } = request;
    if (!Number.isInteger(amount) || amount < 1 || amount > MAX_GRANT) {
      throw invalidField('amount', `must be a whole number from 1 to ${MAX_GRANT}`);
    }
    if (reason.trim() === '' || reason.length > MAX_REASON) {
      throw invalidField('reason', `must have 1 to ${MAX_REASON} characters`);
    }
    const month = monthOf(this.#clock.now());
    await this.#ledger.grant({ ...request, month });
    return month;
  }
}
