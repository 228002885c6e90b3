import { Counter, type Registry } from 'prom-client';
import type { Reservation } from '#credits';
import { PostgresCreditLedger, type Database, type PostgresUnitOfWork } from '#adapters/postgres';

/** Counts the credits that this process reserves, charges and releases, after the commit. */
export class MeasuredCreditLedger extends PostgresCreditLedger {
  readonly #counter: Counter<'kind'>;

  constructor(
    database: Database,
    private readonly unitOfWork: PostgresUnitOfWork,
    registry: Registry,
  ) {
    super(database);
    this.#counter = new Counter({
      name: 'x12_credits_total',
      help: 'Credits reserved for generations, charged for those that succeeded, and released for the others.',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of ['reserved', 'charged', 'released']) this.#counter.inc({ kind }, 0);
  }

  override async reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'> {
    const result = await super.reserve(reservation, monthlyCredits);
    if (result === 'reserved') this.#count('reserved', reservation.amount);
    return result;
  }

  override async charge(generationId: number): Promise<number> {
    return this.#count('charged', await super.charge(generationId));
  }

  override async release(generationId: number): Promise<number> {
    return this.#count('released', await super.release(generationId));
  }

  #count(kind: string, amount: number): number {
    this.unitOfWork.afterCommit(() => this.#counter.inc({ kind }, amount));
    return amount;
  }
}
