import { lineOf } from '#kernel';

export const MAX_LABEL = 60;

/**
 * The text of a visible label, such as "AI-generated"; `null` for none.
 *
 * @param given true for the operator's text
 * @throws DomainError `validation_failed` unless a text is one line of 1 to 60 characters
 */
export function labelOf(given: boolean | string | null, operators: string): string | null {
  if (given === null || given === false) return null;
  return given === true ? operators : lineOf('label', given, MAX_LABEL);
}
