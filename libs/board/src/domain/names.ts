import { invalidField } from '#kernel';

export const MAX_NAME_LENGTH = 255;

/**
 * The name of a board or a folder, trimmed.
 *
 * @throws DomainError `validation_failed` when nothing is left of it, or more than 255 characters
 */
export function nameOf(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_NAME_LENGTH) {
    throw invalidField('name', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  return name;
}
