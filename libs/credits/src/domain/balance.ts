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
