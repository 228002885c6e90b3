import { invalidField } from '#kernel';

const MAX_COLUMNS = 200;
const MAX_NAME_LENGTH = 200;

/**
 * The rows of CSV (RFC 4180) with a header row of field names. A field without a value is left out; so are empty lines.
 *
 * @param maxRows one more row is read, for the caller to refuse
 * @throws DomainError `validation_failed` with the line
 */
export function parseCsv(text: string, maxRows: number): readonly Readonly<Record<string, string>>[] {
  const rows: Record<string, string>[] = [];
  let names: readonly string[] | null = null;
  for (const { line, values } of linesOf(text.replace(/^\ufeff/, ''))) {
    if (!names) {
      names = namesOf(values);
      continue;
    }
    if (values.length !== names.length) {
      throw invalidLine(line, `must have ${names.length} fields, as the header row has: it has ${values.length}`);
    }
    const known = names;
    rows.push(Object.fromEntries(values.flatMap((value, index) => (value === '' ? [] : [[known[index]!, value]]))));
    if (rows.length > maxRows) break;
  }
  return rows;
}

function namesOf(values: readonly string[]): readonly string[] {
  const names = values.map((name) => name.trim());
  if (names.length > MAX_COLUMNS) throw invalidLine(1, `must have at most ${MAX_COLUMNS} fields`);
  const isWrong = names.some((name) => name === '' || name.length > MAX_NAME_LENGTH);
  if (isWrong) throw invalidLine(1, `must be field names of 1 to ${MAX_NAME_LENGTH} characters, separated by commas`);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw invalidLine(1, `has the field ${twice} more than once`);
  return names;
}

/** The lines with their numbers, from 1; a value in quotes may go over several. */
function* linesOf(text: string): Generator<{ readonly line: number; readonly values: readonly string[] }> {
  const value = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
  let [at, line] = [0, 1];
  while (at < text.length) {
    const start = line;
    const values: string[] = [];
    for (;;) {
      value.lastIndex = at;
      const [whole, quoted, plain] = value.exec(text)!;
      values.push(quoted?.replaceAll('""', '"') ?? plain!);
      line += whole.split('\n').length - 1;
      at += whole.length;
      if (text[at] !== ',') break;
      at++;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    else if (at < text.length && text[at] !== '\n') throw invalidLine(line, 'has a quote that does not end its value');
    at++;
    line++;
    if (values.length > 1 || values[0] !== '') yield { line: start, values };
  }
}

function invalidLine(line: number, problem: string) {
  return invalidField('body', `must be valid CSV: line ${line} ${problem}`);
}
