const SHOWN = 24;

/** The newest months, the current one first, in UTC as for credits: `2026-11`. */
export function newestMonths(now: Date): readonly string[] {
  return Array.from({ length: SHOWN }, (_, back) => {
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
  });
}
