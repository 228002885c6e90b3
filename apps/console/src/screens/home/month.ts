/** Days left in this month, including today, in UTC as for credits. */
export function daysLeft(now = new Date()): number {
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));
  return end.getUTCDate() - now.getUTCDate() + 1;
}
