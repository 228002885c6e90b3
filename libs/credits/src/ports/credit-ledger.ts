import type { Month } from '../domain/month.ts';

/** One effect on a workspace's credits. Its key makes it happen once, however often it is asked for. */
export interface Reservation {
  readonly workspaceId: number;
  readonly userId: number;
  readonly generationId: number;
  /** The month whose allocation pays, fixed when the call is accepted. */
  readonly month: Month;
  /** Credits, 0 or more. */
  readonly amount: number;
}

/** A workspace's credits in one month. */
export interface Balance {
  /** Credits the month has: the plan's allocation and what was granted on top. */
  readonly allocation: number;
  /** Credits reserved or charged. */
  readonly used: number;
}

/** The ledger is the truth: every change is an entry with a unique key, and running sums are kept with it. */
export interface CreditLedger {
  /**
   * Takes `amount` off what the month has left: all of it, or nothing. Two reservations can never together
   * take more than is left, however many run at once. Must be called inside a unit of work. A reservation that
   * is already in the ledger is `reserved` again without effect.
   *
   * @param monthlyCredits what the plan gives for the month
   */
  reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'>;

  /** Turns a reservation into a charge; without effect when it is settled or released already, or unknown. */
  settle(generationId: number): Promise<void>;

  /** Gives a reservation back to its month; without effect when it is settled or released already, or unknown. */
  release(generationId: number): Promise<void>;

  balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance>;
}
