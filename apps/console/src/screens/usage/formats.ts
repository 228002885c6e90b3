const LANGUAGE = 'en';

/** `November 2026` */
export function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(LANGUAGE, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
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
