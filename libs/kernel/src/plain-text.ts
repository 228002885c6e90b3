import { invalidField } from './errors.ts';

/** All but tab and line feed. */
const CONTROL = /[^\P{Cc}\t\n]/u;

/**
 * Plain text of several lines, trimmed; lines end with a line feed.
 *
 * @throws DomainError `validation_failed` unless `min` to `max` characters are left, or for control characters
 */
export function plainTextOf(
  field: string,
  given: string,
  { min, max }: { readonly min: number; readonly max: number },
): string {
  const text = given.replaceAll(/\r\n?/g, '\n').trim();
  const length = [...text].length;
  if (length < min || length > max) throw invalidField(field, `must have ${min} to ${max} characters`);
  if (CONTROL.test(text)) throw invalidField(field, 'must not have control characters');
  return text;
}

/** @throws DomainError `validation_failed` unless it is one line of 1 to `max` characters */
export function lineOf(field: string, text: string, max: number): string {
  const line = text.trim();
  const { length } = [...line];
  if (length < 1 || length > max) throw invalidField(field, `must have 1 to ${max} characters`);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) throw invalidField(field, 'must be one line without control characters');
  return line;
}
