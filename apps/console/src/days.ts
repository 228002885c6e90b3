/** The time from the start of one day to the end of another, in the reader's zone. Other texts than days restrict nothing. */
export function daysBetween(from: string, to: string): { readonly after?: string; readonly before?: string } {
  return { after: midnight(from, 0), before: midnight(to, 1) };
}

/** The start of a day in the reader's zone, `later` days after the given day. */
function midnight(day: string, later: number): string | undefined {
  const [year, month, date] = /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.split('-').map(Number) : [];
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + later).toISOString();
}

/** The start of the day a week ago, in UTC: the same all day, so that the key of a query is stable. */
export function weekAgo(now = new Date()): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 7)).toISOString();
}

/** `November 2026` for `2026-11`, a month of UTC. */
export function monthName(month: string): string {
  const format = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
