export type CsvField = string | number;

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Comma-separated values (RFC 4180), with formulas escaped for spreadsheets. */
export function csvOf(rows: readonly (readonly CsvField[])[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}

function fieldOf(field: CsvField): string {
  if (typeof field === 'number') return String(field);
  // Spreadsheets show the text after the apostrophe, and do not evaluate it.
  const text = FORMULA.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Downloads CSV as a file, with a byte order mark, by which spreadsheets detect UTF-8. */
export function saveCsv(name: string, csv: string | Blob): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
