const DAY_MS = 86_400_000;

/** A deletion: who deleted, when, and when the trash forgets it. */
export interface Deletion {
  readonly at: Date;
  /** User id. */
  readonly by: number;
  /** Equal to `at` without a grace period: then nothing can be restored. */
  readonly expiresAt: Date;
}

export function deletionBy(userId: number, now: Date, graceDays: number): Deletion {
  return { at: now, by: userId, expiresAt: new Date(now.getTime() + graceDays * DAY_MS) };
}

/** When the bytes of a file deleted now are deleted for good; `null` when they are deleted at once. */
export function keptUntil(now: Date, graceDays: number): Date | null {
  return graceDays > 0 ? new Date(now.getTime() + graceDays * DAY_MS) : null;
}
