import type { Balance } from './domain/balance.ts';
import type { Month } from './domain/month.ts';

/** Credits set aside for a generation until it ends. */
export interface Reservation {
  readonly workspaceId: number;
  readonly userId: number;
  /** A generation has one reservation, which ends once. */
  readonly generationId: number;
  /** The month whose allocation pays, fixed when the generation is accepted. */
  readonly month: Month;
  /** Credits, 0 or more. */
  readonly amount: number;
}

/** Credits for one month in addition to those of the plan. */
export interface Grant {
  /** Idempotency key: two grants with one key add credits once. */
  readonly key: string;
  readonly workspaceId: number;
  readonly month: Month;
  /** Credits, 1 or more. */
  readonly amount: number;
  readonly reason: string;
}

/** How a charge has ended a reservation. */
export interface Charge {
  readonly charged: number;
  readonly released: number;
}

/** The ledger: every change is an entry with a unique key, and the running sums change with it. */
export interface CreditLedger {
  /**
   * Takes `amount` off what the month has left, or nothing. Concurrent reservations never take more than is left.
   * Must be called inside a unit of work. For a reservation that is already in the ledger, ended or not, the result
   * is `reserved` again, without effect.
   *
   * @param monthlyCredits credits of the plan for the month
   * @throws DomainError `conflict` when another unit of work is reserving for the same generation; retrying is safe
   */
  reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'>;

  /**
   * Charges a reservation, and returns what is left of it to the month that it was taken from. Without effect when it is
   * unknown or has ended.
   *
   * @param amount credits to charge, of those reserved at most; all of them by default
   * @returns 0 of both without effect
   */
  charge(generationId: number, amount?: number): Promise<Charge>;

  /**
   * Returns a reservation to the month that it was taken from. Without effect when it is unknown or has ended: of
   * concurrent calls of `charge` and `release`, one has an effect.
   *
   * @returns the credits released; 0 without effect
   */
  release(generationId: number): Promise<number>;

  /** Adds credits to a month; without effect when a grant has that key. */
  grant(grant: Grant): Promise<void>;

  /** @param monthlyCredits credits of the plan for the month */
  balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance>;
}

export const USAGE_GROUPS = ['day', 'model', 'user'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Credits that one group of generations used. What it is not grouped by is `null`. */
export interface UsageEntry {
  /** The day of the generations in UTC, as `2026-11-21`. */
  readonly day: string | null;
  readonly model: string | null;
  readonly userId: number | null;
  readonly email: string | null;
  /** Credits reserved or charged. */
  readonly used: number;
  /** Those of them whose generations have not ended. */
  readonly reserved: number;
  /** The number of generations that used them. */
  readonly generations: number;
}

/** Reads of the ledger. */
export interface CreditViews {
  /**
   * What the workspace used in a month, by day, then most credits first. Days without generations have no entry.
   *
   * @param onlyUserId the one user to count; `null` for all
   */
  usage(
    workspaceId: number,
    month: Month,
    groupBy: readonly UsageGroup[],
    onlyUserId: number | null,
  ): Promise<readonly UsageEntry[]>;
}

/** An inconsistency of the ledger. */
export interface CreditFault {
  /**
   * The broken rule. `month_*` and `member_*`: the running sum is the sum of the entries. `reservation_end`: an end has
   * the amount that its reservation requires. `reservation_ends`: a reservation ends once.
   */
  readonly rule:
    'month_used' | 'month_granted' | 'member_used' | 'member_generations' | 'reservation_end' | 'reservation_ends';
  readonly workspaceId: number;
  readonly month: Month;
  /** The member or the generation; `null` for the rules about a month. */
  readonly about: number | null;
  /** `null` for an end without a reservation. */
  readonly expected: number | null;
  readonly found: number;
}

/** Verifies the ledger and rebuilds what is derived from it. */
export interface CreditAudit {
  /** All faults, as of one moment. */
  faults(): Promise<readonly CreditFault[]>;

  /** Rebuilds the running sums from the entries; spending waits meanwhile. Must be called inside a unit of work. */
  rebuildSums(): Promise<void>;
}
