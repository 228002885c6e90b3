/** Credits of a workspace in one month. */
export interface Balance {
  /** The plan's allocation plus grants. */
  readonly allocation: number;
  /** Credits reserved or charged. */
  readonly used: number;
}

/** Shares of a month's credits: when no more are left, the workspace is told. */
export const LOW_PERCENTS: readonly number[] = [20, 5];

/** Credits left; 0 if more are used than allocated, which a change to a smaller plan can cause. */
export function available({ allocation, used }: Balance): number {
  return Math.max(0, allocation - used);
}

/** Percentage of the month's credits used: 0 to 100, with at most two decimals. */
export function usagePercentage({ allocation, used }: Balance): number {
  if (used >= allocation) return used === 0 ? 0 : 100;
  return Math.round((used / allocation) * 10_000) / 100;
}
