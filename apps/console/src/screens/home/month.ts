/** Days of this month that are left, in UTC as months of credits are, with today. */
export function daysLeft(now: Date): number {
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));
  return end.getUTCDate() - now.getUTCDate() + 1;
}

/** The start of the day a week ago, in UTC: the same all day, as a key of a query should be. */
export function weekAgo(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 7)).toISOString();
}
