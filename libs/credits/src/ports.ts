import type { TokenBudget } from '#identity';
import type { Page, PageRequest } from '#kernel';
import type { Balance } from './domain/balance.ts';
import type { Customer, CustomerProfile } from './domain/customer.ts';
import type { Month } from './domain/month.ts';

/** Credits set aside for a generation until it ends. */
export interface Reservation {
  readonly workspaceId: number;
  readonly userId: number;
  /** A generation has one reservation, which ends once. */
  readonly generationId: number;
  /** The month that the credits are taken from, fixed when the generation is accepted. */
  readonly month: Month;
  /** Credits, 0 or more. */
  readonly amount: number;
  /** The budgets of tokens that it counts in too; none by default. */
  readonly budgets?: readonly TokenBudget[];
  /** The customer whose budget it counts in too; none by default. */
  readonly customer?: string | null;
}

/** Credits for one month on top of the plan's allocation. */
export interface Grant {
  /** Idempotency key: two grants with the same key add credits once. */
  readonly key: string;
  readonly workspaceId: number;
  readonly month: Month;
  /** Credits, 1 or more. */
  readonly amount: number;
  readonly reason: string;
}

/** The result of a charge. */
export interface Charge {
  readonly charged: number;
  readonly released: number;
}

/** The ledger: every change is an entry with a unique key, and updates the running sums in the same transaction. */
export interface CreditLedger {
  /**
   * Reserves `amount` of the credits left in the month, or nothing. Concurrent reservations never exceed what is left.
   * Must be called inside a unit of work. If the reservation is already in the ledger, ended or not, returns
   * `reserved` without effect.
   *
   * @param monthlyCredits credits of the plan for the month
   * @throws DomainError `conflict` when another unit of work is reserving for the same generation; retrying is safe.
   * `BudgetExceeded` when a budget of a token or of the customer has less left, by concurrent reservations too; the unit
   * of work fails
   */
  reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'>;

  /**
   * Reserves for several generations as `reserve` does, all or none.
   *
   * @param reservations at least one; of one user in one workspace and month, with the same budgets
   */
  reserveAll(reservations: readonly Reservation[], monthlyCredits: number): Promise<'reserved' | 'insufficient'>;

  /**
   * Charges a reservation and returns its remaining credits to its month. Without effect when the reservation is
   * unknown or has ended.
   *
   * @param amount credits to charge, at most those reserved; all by default
   * @returns 0 of both without effect
   */
  charge(generationId: number, amount?: number): Promise<Charge>;

  /**
   * Returns the credits of a reservation to its month. Without effect when the reservation is unknown or has ended: of
   * concurrent calls of `charge` and `release`, one has an effect.
   *
   * @returns the credits released; 0 without effect
   */
  release(generationId: number): Promise<number>;

  /** Adds credits to a month. False, without effect, when a grant has this key already. */
  grant(grant: Grant): Promise<boolean>;

  /** @param monthlyCredits credits of the plan for the month */
  balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance>;
}

/** Credits of a customer. */
export interface CreditSum {
  /** Credits reserved or charged. */
  readonly used: number;
  /** The part of them whose generations have not ended. */
  readonly reserved: number;
}

/** A customer as its workspace sees it. */
export interface CustomerView extends Customer {
  readonly month: CreditSum;
  readonly total: CreditSum;
}

/** Customers with their credits in a month and in all. */
export interface CustomerStore {
  /** Adds a customer, or changes the given fields of one that exists. */
  save(
    customer: Pick<Customer, 'customer' | 'createdAt'> & { readonly workspaceId: number },
    changes: Partial<CustomerProfile>,
    month: Month,
  ): Promise<CustomerView>;

  /** Newest first. */
  list(workspaceId: number, page: PageRequest, month: Month): Promise<Page<CustomerView>>;
}

export const USAGE_GROUPS = ['day', 'model', 'user', 'customer'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Credits that one group of generations used. Fields that the result is not grouped by are `null`. */
export interface UsageEntry {
  /** The day of the generations in UTC, as `2026-11-21`. */
  readonly day: string | null;
  readonly model: string | null;
  readonly userId: number | null;
  readonly email: string | null;
  /** Also `null` for generations without a customer. */
  readonly customer: string | null;
  /** Credits reserved or charged. */
  readonly used: number;
  /** The part of them whose generations have not ended. */
  readonly reserved: number;
  /** The number of generations that used them. */
  readonly generations: number;
}

export interface Usage {
  /** The sum of all entries, also of those beyond the limit. */
  readonly totalUsed: number;
  readonly entries: readonly UsageEntry[];
}

/** Reads of the ledger. */
export interface CreditViews {
  /**
   * Credits that are reserved or charged to the budgets of these tokens in a month, by token id; none for nothing yet.
   */
  usedOfBudgets(tokenIds: readonly number[], month: Month): Promise<ReadonlyMap<number, number>>;

  /**
   * Credits used by the workspace in a month, by day, then most credits first. Days without generations have no entry.
   *
   * @param options.userId the one user to count; `null` for all, as for the customer
   * @param options.limit the number of entries; all without it
   */
  usage(
    workspaceId: number,
    month: Month,
    groupBy: readonly UsageGroup[],
    options: {
      readonly userId: number | null;
      readonly customer?: string | undefined;
      readonly limit?: number | undefined;
    },
  ): Promise<Usage>;
}

/** An inconsistency in the ledger. */
export interface CreditFault {
  /**
   * The broken rule. `month_*` and `member_*`: the running sum is the sum of the entries. `reservation_end`: the
   * amount of an end matches its reservation. `reservation_ends`: a reservation ends once. `budget_used`: what a token has
   * used of its budget is the sum of the entries that count in it. `customer_*`: the same of customers, in a month and, as
   * the month `0001-01`, in all.
   */
  readonly rule:
    | 'month_used'
    | 'month_granted'
    | 'member_used'
    | 'member_generations'
    | 'reservation_end'
    | 'reservation_ends'
    | 'budget_used'
    | 'customer_used'
    | 'customer_reserved'
    | 'customer_generations';
  /** `null` for a budget, which counts in every workspace that the user of the token acts in. */
  readonly workspaceId: number | null;
  readonly month: Month;
  /** The member, the generation or the token; `null` for the rules about a month and about customers. */
  readonly about: number | null;
  /** `null` for an end without a reservation. */
  readonly expected: number | null;
  readonly found: number;
}

/** Verifies the ledger and rebuilds its running sums. */
export interface CreditAudit {
  /** All faults, in one consistent snapshot. */
  faults(): Promise<readonly CreditFault[]>;

  /** Rebuilds the running sums from the entries; spending waits meanwhile. Must be called inside a unit of work. */
  rebuildSums(): Promise<void>;
}
