/** Days left in this month, including today, in UTC as for credits. */
export function daysLeft(now: Date): number {
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));
  return end.getUTCDate() - now.getUTCDate() + 1;
}

/** The start of the day a week ago, in UTC: the same all day, so that the key of a query is stable. */
export function weekAgo(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 7)).toISOString();
}
