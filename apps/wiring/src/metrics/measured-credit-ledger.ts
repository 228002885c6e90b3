import { Counter, type Registry } from 'prom-client';
import type { Balance, CreditLedger, Grant, Month, Reservation } from '#credits';
import type { PostgresUnitOfWork } from '#adapters/postgres';

/** Counts the credits that this process moves, once that is committed. */
export class MeasuredCreditLedger implements CreditLedger {
  readonly #ledger: CreditLedger;
  readonly #unitOfWork: PostgresUnitOfWork;
  readonly #moved: Counter<'kind'>;

  constructor(ledger: CreditLedger, unitOfWork: PostgresUnitOfWork, registry: Registry) {
    this.#ledger = ledger;
    this.#unitOfWork = unitOfWork;
    this.#moved = new Counter({
      name: 'x12_credits_total',
      help: 'Credits reserved for generations, captured for those that succeeded, and released for the others.',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of ['reserved', 'captured', 'released']) this.#moved.inc({ kind }, 0);
  }

  async reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'> {
    const answer = await this.#ledger.reserve(reservation, monthlyCredits);
    if (answer === 'reserved') this.#count('reserved', reservation.amount);
    return answer;
  }

  async settle(generationId: number): Promise<number> {
    return this.#count('captured', await this.#ledger.settle(generationId));
  }

  async release(generationId: number): Promise<number> {
    return this.#count('released', await this.#ledger.release(generationId));
  }

  grant(grant: Grant): Promise<void> {
    return this.#ledger.grant(grant);
  }

  balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance> {
    return this.#ledger.balance(workspaceId, month, monthlyCredits);
  }

  #count(kind: string, amount: number): number {
    this.#unitOfWork.afterCommit(() => this.#moved.inc({ kind }, amount));
    return amount;
  }
}
