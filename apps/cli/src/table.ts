export type Row = object;

/** The named fields of an object, in snake case. */
export function rowOf<T extends object>(object: T, ...names: (keyof T & string)[]): Row {
  const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(names.map((name) => [snakeCase(name), object[name]]));
}

/** Formats rows below a line of headings, or one row as a line for each field. */
export function table(output: readonly Row[] | Row): string {
  if (!isRows(output)) return columns(Object.entries(output).map(([name, value]) => [name, shown(value)]));
  const [first] = output;
  if (!first) return 'none\n';
  const names = Object.keys(first);
  return columns([names, ...output.map((row) => names.map((name) => shown(row[name as keyof typeof row])))]);
}

function isRows(output: readonly Row[] | Row): output is readonly Row[] {
  return Array.isArray(output);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function columns(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const padded = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return lines.map((line) => `${padded(line).trimEnd()}\n`).join('');
}
