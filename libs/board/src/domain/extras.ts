import { invalidField } from '#kernel';

export const MAX_EXTRAS_BYTES = 65_536;

/**
 * A client's own data on a media: a string that parses as JSON, kept as it was given.
 *
 * @throws DomainError `validation_failed`
 */
export function extrasOf(text: string): string {
  if (utf8Length(text) > MAX_EXTRAS_BYTES) throw invalidField('extras', 'must have at most 64 KiB');
  try {
    JSON.parse(text);
  } catch {
    throw invalidField('extras', 'must be a string that holds JSON');
  }
  return text;
}

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
