import { available, daysLeftInMonth, usagePercentage, type Balance } from '#credits';

/** A team's credits in the current month, as its members see them. */
export interface TeamCredits {
  /** Plan identifier. */
  readonly plan: string;
  /** What the plan gives, and what was granted on top. */
  readonly monthlyAllocation: number;
  readonly usedThisMonth: number;
  readonly remaining: number;
  /** 0 to 100. */
  readonly usagePercentage: number;
  /** Today included. */
  readonly daysLeftInMonth: number;
}

export function teamCredits(plan: string, balance: Balance, now: Date): TeamCredits {
  return {
    plan,
    monthlyAllocation: balance.allocation,
    usedThisMonth: balance.used,
    remaining: available(balance),
    usagePercentage: usagePercentage(balance),
    daysLeftInMonth: daysLeftInMonth(now),
  };
}
