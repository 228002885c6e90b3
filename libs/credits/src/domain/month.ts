import { invalidField } from '#kernel';

/** A calendar month in UTC, as `YYYY-MM`. */
export type Month = `${number}-${number}`;

/** A half-open interval: `startAt` belongs to it, `endAt` does not. */
export interface Period {
  readonly startAt: Date;
  readonly endAt: Date;
}

const DAY_MS = 86_400_000;

export function monthOf(time: Date): Month {
  return time.toISOString().slice(0, 7) as Month;
}

/**
 * Parses a month that has begun at `now`.
 *
 * @throws DomainError `validation_failed`
 */
export function pastMonth(text: string, now: Date): Month {
  if (!/^2\d{3}-(0[1-9]|1[0-2])$/.test(text) || text > monthOf(now)) {
    throw invalidField('month', 'must be a month that has begun, such as 2026-10');
  }
  return text as Month;
}

export function periodOf(month: Month): Period {
  const startAt = new Date(`${month}-01T00:00:00Z`);
  const endAt = new Date(startAt);
  endAt.setUTCMonth(endAt.getUTCMonth() + 1);
  return { startAt, endAt };
}

/** Days left in the month of `now`, today included. */
export function daysLeftInMonth(now: Date): number {
  return Math.ceil((periodOf(monthOf(now)).endAt.getTime() - now.getTime()) / DAY_MS);
}
