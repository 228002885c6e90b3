/** A workspace's credits in one month. */
export interface Balance {
  /** Credits the month has: the plan's allocation and what was granted on top. */
  readonly allocation: number;
  /** Credits reserved or charged. */
  readonly used: number;
}

/** Never less than nothing, although a smaller plan may leave a month with more used than it has. */
export function available({ allocation, used }: Balance): number {
  return Math.max(0, allocation - used);
}

/** How much of the month's credits is used: 0 to 100, with at most two decimals. */
export function usagePercentage({ allocation, used }: Balance): number {
  if (used >= allocation) return used === 0 ? 0 : 100;
  return Math.round((used / allocation) * 10_000) / 100;
}
