import { invalidField } from '#kernel';

/** Maximum levels: more than the parameters of any model need, and safe for the parser and the database. */
const MAX_DEPTH = 32;
/** Maximum values: more than 1,000 rows of a table have, or 64 KiB of numbers. */
const MAX_VALUES = 50_000;

/** Bytes of the longest name of a field, each character escaped. */
const MAX_TOKEN_BYTES = 1300;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [LETTER_U, ESCAPE_UNITS] = [0x75, 6];

/**
 * Checks the text of a JSON object in one pass, before it is parsed: its depth and size, duplicate fields, and characters
 * that PostgreSQL can't store. Invalid JSON is left to `JSON.parse`.
 *
 * @param json UTF-8
 * @throws DomainError `validation_failed`
 */
export function checkJson(json: Buffer): void {
  const names = new Set<string>();
  let [field, depth, values, isNameNext] = ['body', 0, 0, false];
  for (let at = 0; at < json.length; at++) {
    switch (json[at]!) {
      case QUOTE: {
        const isName = isNameNext && depth === 1;
        const end = endOfString(json, at, isName ? 'body' : field);
        if (isName) {
          field = nameAt(json, at, end + 1);
          if (names.has(field)) throw invalidField(field, 'is given more than once');
          names.add(field);
        }
        isNameNext = false;
        at = end;
        break;
      }
      case OPEN_LIST:
      case OPEN_OBJECT:
        // The object of the fields is the first level.
        if (depth++ > MAX_DEPTH) throw invalidField(field, `must not be nested deeper than ${MAX_DEPTH}`);
        values++;
        isNameNext = true;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
        values++;
        isNameNext = true;
    }
    if (values > MAX_VALUES) throw invalidField('body', `must have at most ${MAX_VALUES} values`);
  }
}

/** The index of the quote that ends the string, or of the last byte. */
function endOfString(json: Buffer, start: number, field: string): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === QUOTE) return at;
    if (json[at] !== BACKSLASH) continue;
    const unit = escapedUnit(json, at++);
    if (unit === null) continue;
    const isPair = isBetween(unit, 0xd800, 0xdbff) && isBetween(escapedUnit(json, at + 5), 0xdc00, 0xdfff);
    if (unit === 0 || (isBetween(unit, 0xd800, 0xdfff) && !isPair)) {
      throw invalidField(field, 'must not hold NUL characters or broken Unicode');
    }
    if (isPair) at += ESCAPE_UNITS;
  }
  return json.length - 1;
}

/** The UTF-16 unit that the six bytes from this index escape, or `null`. */
function escapedUnit(json: Buffer, at: number): number | null {
  if (json[at] !== BACKSLASH || json[at + 1] !== LETTER_U) return null;
  const digits = json.toString('latin1', at + 2, at + ESCAPE_UNITS);
  return /^[0-9a-f]{4}$/i.test(digits) ? parseInt(digits, 16) : null;
}

function isBetween(unit: number | null, first: number, last: number): boolean {
  return unit !== null && unit >= first && unit <= last;
}

/** The text of a string, as far as it can be the name of a field. */
function nameAt(json: Buffer, start: number, end: number): string {
  const token = json.toString('utf8', start, Math.min(end, start + MAX_TOKEN_BYTES));
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}
