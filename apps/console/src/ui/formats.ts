const LANGUAGE = 'en';
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function number(value: number, maximumFractionDigits = 0): string {
  return value.toLocaleString(LANGUAGE, { maximumFractionDigits });
}

/** @param share 0 to 1 */
export function percent(share: number): string {
  return share.toLocaleString(LANGUAGE, { style: 'percent', maximumFractionDigits: 0 });
}

/** `1.5 MB`, in powers of 1000 as file managers show them. */
export function bytes(value: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const scaled = value / 1000 ** power;
  const maximumFractionDigits = power > 0 && scaled < 100 ? 1 : 0;
  return scaled.toLocaleString(LANGUAGE, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits,
  });
}

/** The whole date and time in the reader's zone, which it names. */
export function fullTime(at: Date): string {
  return at.toLocaleString(LANGUAGE, { dateStyle: 'medium', timeStyle: 'long' });
}

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
] as const;

/** `5 minutes ago`, `in 2 days`; the date when it is more than a week away. */
export function relativeTime(at: Date, now: Date): string {
  let distance = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(distance) < 45) return distance > 0 ? 'in a moment' : 'just now';
  for (const [unit, next] of STEPS) {
    if (Math.round(Math.abs(distance)) < next) {
      return new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' }).format(Math.round(distance), unit);
    }
    distance /= next;
  }
  const year = at.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  return at.toLocaleDateString(LANGUAGE, { day: 'numeric', month: 'short', year });
}
