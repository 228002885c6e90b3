import { invalidField } from '#kernel';

export const MAX_NAME_LENGTH = 100;

/**
 * The name of a user or a token.
 *
 * @throws DomainError `validation_failed` as `personNameOf`, with 1 to 100 characters
 */
export function nameOf(text: string): string {
  return personNameOf(text, MAX_NAME_LENGTH);
}

/** Joiners, which some scripts and emoji need between their characters, and variants of the character before. */
const NEEDED =
  /(?<=[\p{M}\p{sc=Arab}\p{sc=Syrc}\p{Extended_Pictographic}\p{EMod}])[\u200C\u200D]|(?<=[\p{L}\p{Emoji}])\p{VS}/gu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * The name by which people know somebody, a member or a guest: trimmed, on one line. Names that are stored already stay.
 *
 * @throws DomainError `validation_failed` unless it has 1 to `max` characters, at least one to be seen, and none that is
 * invisible or changes the direction of the text around it
 */
export function personNameOf(text: string, max: number): string {
  const name = text.trim();
  const { length } = [...name];
  const shown = name.replace(NEEDED, '');
  if (length > max || HIDDEN.test(shown) || !VISIBLE.test(shown)) {
    throw invalidField('name', `must have 1 to ${max} characters, on one line and all to be seen`);
  }
  return name;
}
