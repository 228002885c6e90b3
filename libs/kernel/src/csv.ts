/**
 * Where a spreadsheet would see the beginning of a formula: at the beginning of a text, and behind a character at which some
 * spreadsheets split cells, whatever the quotes say.
 */
const FORMULAS = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@])/g;
/** They show what follows in another order than it is written. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A line of CSV (RFC 4180). */
export function csvRow(values: readonly (string | number | null)[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

/** An apostrophe makes a formula a text; a control of the direction is shown as its number. */
function cellOf(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = value
    .replace(FORMULAS, "'")
    .replace(DIRECTIONS, (control) => `\\u${control.charCodeAt(0).toString(16)}`);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
