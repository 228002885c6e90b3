import { stripVTControlCharacters } from 'node:util';

/** Control characters, line separators, and marks that reverse the direction of the text after them. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** One line of a text of the service, which must not move the cursor or recolour the terminal. */
export function plain(text: unknown): string {
  return stripVTControlCharacters(String(text ?? ''))
    .replace(UNSAFE, ' ')
    .trim();
}

/** JSON in one line, without the control characters that JSON leaves as they are. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
}

/** Rows as lines: aligned for people, otherwise with a tab between the cells. */
export function linesOf(rows: readonly (readonly unknown[])[], isAligned: boolean): string[] {
  const cells = rows.map((row) => row.map(plain));
  if (!isAligned) return cells.map((row) => row.join('\t'));
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}
