import { invalidField } from '#kernel';

/**
 * Characters are code points, as in the API's description.
 *
 * @throws DomainError `validation_failed`
 */
export function assertAtMost(maximum: number, field: string, text: string | null | undefined): void {
  if (text && [...text].length > maximum) {
    throw invalidField(field, `must have at most ${maximum} characters`);
  }
}
