const DAY_MS = 86_400_000;

/** Until when the bytes of a file that is deleted now can be brought back; `null` when they are deleted at once. */
export function keptUntil(now: Date, graceDays: number): Date | null {
  return graceDays > 0 ? new Date(now.getTime() + graceDays * DAY_MS) : null;
}
