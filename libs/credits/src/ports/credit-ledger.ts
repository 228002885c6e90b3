import type { Balance } from '../domain/balance.ts';
import type { Month } from '../domain/month.ts';

/** What a generation may cost at most, held for it until it ends. */
export interface Reservation {
  readonly workspaceId: number;
  readonly userId: number;
  /** One generation has one reservation, which ends once. */
  readonly generationId: number;
  /** The month whose allocation pays, fixed when the call is accepted. */
  readonly month: Month;
  /** Credits, 0 or more. */
  readonly amount: number;
}

/** Credits on top of what the plan gives, for one month. */
export interface Grant {
  /** Whoever grants chooses it, so that granting twice by mistake grants once. */
  readonly key: string;
  readonly workspaceId: number;
  readonly month: Month;
  /** Credits, 1 or more. */
  readonly amount: number;
  readonly reason: string;
}

/** The ledger is the truth: every change is an entry with a unique key, and running sums are kept with it. */
export interface CreditLedger {
  /**
   * Takes `amount` off what the month has left: all of it, or nothing. Two reservations can never together
   * take more than is left, however many run at once. Must be called inside a unit of work. A reservation that
   * is already in the ledger is `reserved` again without effect, ended or not.
   *
   * @param monthlyCredits what the plan gives for the month
   * @throws DomainError `conflict` when another unit of work is reserving for the same generation right now;
   * asking again is safe
   */
  reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'>;

  /**
   * Turns a reservation into a charge; without effect when it is settled or released already, or unknown.
   *
   * @returns the credits charged; 0 without effect
   */
  settle(generationId: number): Promise<number>;

  /**
   * Gives a reservation back to the month it was taken from; without effect when it is settled or released
   * already, or unknown. However many settle and release at once, one of them has an effect.
   *
   * @returns the credits given back; 0 without effect
   */
  release(generationId: number): Promise<number>;

  /** Adds to what the month has; without effect when there is a grant with that key. */
  grant(grant: Grant): Promise<void>;

  /** @param monthlyCredits what the plan gives for the month */
  balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance>;
}
