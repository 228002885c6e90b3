import type { Balance, CreditLedger, Grant, Month, Reservation } from '../index.ts';

type Stored = Reservation & { readonly end: 'charged' | 'released' | null };

/** The ledger in arrays, its sums added up whenever they are asked for. */
export class InMemoryCreditLedger implements CreditLedger {
  readonly #reservations = new Map<number, Stored>();
  readonly #grants = new Map<string, Grant>();

  async reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'> {
    if (this.#reservations.has(reservation.generationId)) return 'reserved';
    const { allocation, used } = this.#sums(reservation.workspaceId, reservation.month, monthlyCredits);
    if (reservation.amount > Math.max(0, allocation - used)) return 'insufficient';
    this.#reservations.set(reservation.generationId, { ...reservation, end: null });
    return 'reserved';
  }

  async charge(generationId: number): Promise<number> {
    return this.#end(generationId, 'charged');
  }

  async release(generationId: number): Promise<number> {
    return this.#end(generationId, 'released');
  }

  async grant(grant: Grant): Promise<void> {
    if (!this.#grants.has(grant.key)) this.#grants.set(grant.key, grant);
  }

  async balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance> {
    return this.#sums(workspaceId, month, monthlyCredits);
  }

  #end(generationId: number, end: 'charged' | 'released'): number {
    const reservation = this.#reservations.get(generationId);
    if (!reservation || reservation.end) return 0;
    this.#reservations.set(generationId, { ...reservation, end });
    return reservation.amount;
  }

  #sums(workspaceId: number, month: Month, monthlyCredits: number): Balance {
    const concerned = (each: { workspaceId: number; month: Month }) =>
      each.workspaceId === workspaceId && each.month === month;
    const grants = [...this.#grants.values()].filter(concerned);
    const reservations = [...this.#reservations.values()].filter(concerned);
    return {
      allocation: monthlyCredits + total(grants),
      used: total(reservations.filter(({ end }) => end !== 'released')),
    };
  }
}

function total(entries: ReadonlyArray<{ readonly amount: number }>): number {
  return entries.reduce((sum, { amount }) => sum + amount, 0);
}
