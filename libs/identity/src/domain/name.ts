import { invalidField } from '#kernel';

export const MAX_NAME_LENGTH = 100;

/**
 * The name of a user or a token: trimmed, on one line.
 *
 * @throws DomainError `validation_failed` unless it has 1 to 100 characters, without control characters
 */
export function nameOf(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw invalidField('name', `must have 1 to ${MAX_NAME_LENGTH} characters, on one line`);
  }
  return name;
}
