import type { Month } from '../domain/month.ts';

/** A place where the books are wrong. */
export interface CreditFault {
  /**
   * The rule that is broken: a month's use and grants are the sums of its entries, and so are a member's use and
   * number of generations; what ends a reservation has the right amount; a reservation ends once.
   */
  readonly rule:
    | 'month_used'
    | 'month_granted'
    | 'member_used'
    | 'member_generations'
    | 'reservation_end'
    | 'reservation_ends';
  readonly workspaceId: number;
  readonly month: Month;
  /** The member, or the generation; `null` for the rules about a month. */
  readonly about: number | null;
  /** `null` for the end of a reservation that never was. */
  readonly expected: number | null;
  readonly found: number;
}

/** Checks the books, and mends what can be derived. */
export interface CreditAudit {
  /** Every fault in the ledger and its sums, as of one moment; empty when the books are right. */
  faults(): Promise<readonly CreditFault[]>;

  /**
   * Makes the running sums of months and members anew from the ledger, which is the truth. Whoever spends meanwhile
   * waits. To be called in a unit of work.
   */
  rebuildSums(): Promise<void>;
}
