/** A calendar month in UTC, as `YYYY-MM`. */
export type Month = `${number}-${number}`;

export function monthOf(time: Date): Month {
  return time.toISOString().slice(0, 7) as Month;
}
