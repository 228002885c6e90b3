export type Row = Readonly<Record<string, unknown>>;

/** Rows under a line of headings; one thing as a line a field. */
export function table(answer: readonly Row[] | Row): string {
  if (!isRows(answer)) return columns(Object.entries(answer).map(([name, value]) => [name, shown(value)]));
  const [first] = answer;
  if (!first) return 'none\n';
  const names = Object.keys(first);
  return columns([names, ...answer.map((row) => names.map((name) => shown(row[name])))]);
}

function isRows(answer: readonly Row[] | Row): answer is readonly Row[] {
  return Array.isArray(answer);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function columns(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
