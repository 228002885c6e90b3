/** Control, format and bidirectional characters, which could disguise a text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A vendor's text as one line of at most `max` characters without invisible ones; `null` when nothing is left. */
export function plainText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  // Cut before the work: a text may have megabytes.
  const text = value
    .slice(0, 2 * max)
    .toWellFormed()
    .replace(INVISIBLE, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (text === '') return null;
  return text.length <= max && value.length <= 2 * max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

/** Reports whether a text can be sent to the vendor again exactly as it is. */
export function isPlain(value: string, max: number): boolean {
  return value.length <= max && value.isWellFormed() && value.search(/[\p{Cc}\p{Cf}]/u) < 0;
}
