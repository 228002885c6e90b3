const DAY_MS = 86_400_000;

/** Until when the bytes of a file that is deleted now can be brought back; `null` when they are deleted at once. */
export function keptUntil(now: Date, graceDays: number): Date | null {
  return graceDays > 0 ? new Date(now.getTime() + graceDays * DAY_MS) : null;
}

/** That somebody deletes something now, and until when it stays in the trash: `null` for not at all. */
export interface Removal {
  readonly at: Date;
  /** User id. */
  readonly by: number;
  readonly keptUntil: Date | null;
}

export function removalBy(userId: number, now: Date, graceDays: number): Removal {
  return { at: now, by: userId, keptUntil: keptUntil(now, graceDays) };
}
