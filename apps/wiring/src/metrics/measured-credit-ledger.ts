import { Counter, type Registry } from 'prom-client';
import type { Charge, Reservation } from '#credits';
import { PostgresCreditLedger, type Database, type PostgresUnitOfWork } from '#adapters/postgres';

/** Counts the credits that this process reserves, charges and releases, after each commit. */
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
      help: 'Credits reserved for generations, charged for what they made, and released for the rest.',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of ['reserved', 'charged', 'released']) this.#counter.inc({ kind }, 0);
  }

  override async reserveAll(
    reservations: readonly Reservation[],
    monthlyCredits: number,
  ): Promise<'reserved' | 'insufficient'> {
    const result = await super.reserveAll(reservations, monthlyCredits);
    if (result === 'reserved') for (const { amount } of reservations) this.#count('reserved', amount);
    return result;
  }

  override async charge(generationId: number, amount?: number): Promise<Charge> {
    const charge = await super.charge(generationId, amount);
    this.#count('charged', charge.charged);
    this.#count('released', charge.released);
    return charge;
  }

  override async release(generationId: number): Promise<number> {
    return this.#count('released', await super.release(generationId));
  }

  #count(kind: string, amount: number): number {
    this.unitOfWork.afterCommit(() => this.#counter.inc({ kind }, amount));
    return amount;
  }
}
