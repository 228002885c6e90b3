import { DomainError } from '#kernel';
import type { UploadRules } from './upload.ts';

/** S3 refuses smaller parts, except for the last. */
export const MIN_PART_BYTES = 5 * 1024 ** 2;

const SHOWN = 10;

/** Why these parts can't become the file of an upload of `count` parts; `null` when they can. */
export function refusalOfParts(
  sent: readonly { readonly number: number; readonly size: number }[],
  count: number,
  { maxBytes, minPartBytes }: Pick<UploadRules, 'maxBytes' | 'minPartBytes'>,
): DomainError | null {
  const size = sent.reduce((sum, part) => sum + part.size, 0);
  if (size > maxBytes) return new DomainError('too_large', `a file may have at most ${maxBytes} bytes`);
  const there = new Set(sent.map((part) => part.number));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((number) => !there.has(number));
  if (missing.length > 0) {
    return new DomainError('not_uploaded', `PUT ${partsIn(missing)} of ${count} to the signed URLs first`);
  }
  const small = sent.filter((part) => part.number < count && part.size < minPartBytes);
  if (small.length > 0) {
    const numbers = partsIn(small.map((part) => part.number));
    return new DomainError('not_uploaded', `all parts but the last need ${minPartBytes} bytes: PUT ${numbers} again`);
  }
  return null;
}

function partsIn(numbers: readonly number[]): string {
  const shown = numbers.slice(0, SHOWN).join(', ');
  const more = numbers.length > SHOWN ? ` and ${numbers.length - SHOWN} more` : '';
  return `${numbers.length === 1 ? 'part' : 'parts'} ${shown}${more}`;
}
