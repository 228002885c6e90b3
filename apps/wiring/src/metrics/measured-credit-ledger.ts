import { Counter, type Registry } from 'prom-client';
import type { Balance, CreditLedger, Grant, Month, Reservation } from '#credits';
import type { PostgresUnitOfWork } from '#adapters/postgres';

/** Counts the credits that this process reserves, charges and releases, after the commit. */
export class MeasuredCreditLedger implements CreditLedger {
  readonly #counter: Counter<'kind'>;

  constructor(
    private readonly ledger: CreditLedger,
    private readonly unitOfWork: PostgresUnitOfWork,
    registry: Registry,
  ) {
    this.#counter = new Counter({
      name: 'x12_credits_total',
      help: 'Credits reserved for generations, charged for those that succeeded, and released for the others.',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of ['reserved', 'charged', 'released']) this.#counter.inc({ kind }, 0);
  }

  async reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'> {
    const result = await this.ledger.reserve(reservation, monthlyCredits);
    if (result === 'reserved') this.#count('reserved', reservation.amount);
    return result;
  }

  async charge(generationId: number): Promise<number> {
    return this.#count('charged', await this.ledger.charge(generationId));
  }

  async release(generationId: number): Promise<number> {
    return this.#count('released', await this.ledger.release(generationId));
  }

  grant(grant: Grant): Promise<void> {
    return this.ledger.grant(grant);
  }

  balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance> {
    return this.ledger.balance(workspaceId, month, monthlyCredits);
  }

  #count(kind: string, amount: number): number {
    this.unitOfWork.afterCommit(() => this.#counter.inc({ kind }, amount));
    return amount;
  }
}
