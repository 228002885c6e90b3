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
