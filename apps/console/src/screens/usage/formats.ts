const LANGUAGE = 'en';

/** Credits a day: `0.2`, `4.5`, `340`. Small numbers have a fraction. */
export function perDay(credits: number): string {
  const digits = credits < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 };
  return credits.toLocaleString(LANGUAGE, digits);
}

/** `Sun, Nov 22` */
export function dayName(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(LANGUAGE, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
}
