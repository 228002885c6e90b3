/** `850 ms`, `12 s`, `2 min` between two times. */
export function elapsed(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  if (seconds < 1) return unit(seconds * 1000, 'millisecond', 0);
  return seconds < 120 ? unit(seconds, 'second', seconds < 10 ? 1 : 0) : unit(seconds / 60, 'minute', 0);
}

function unit(value: number, name: string, maximumFractionDigits: number): string {
  return value.toLocaleString('en', { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits });
}
