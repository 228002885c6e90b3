import { DomainError } from '#kernel';
import { STORED_TYPES, fileNameOf } from './file-name.ts';

// The checks of finalizing: parts, size, content type, metadata.

/** S3 refuses smaller parts, except for the last. */
export const MIN_PART_BYTES = 5 * 1024 ** 2;

/** Pictures keep their metadata, such as the GPS position, or are saved without it. */
export const METADATA_RULES = ['keep', 'strip'] as const;

/** Limits of sizes and times, and whether metadata is removed. */
export interface UploadRules {
  readonly maxBytes: number;
  /** Maximum bytes of a picture whose metadata is removed. */
  readonly maxStrippedBytes: number;
  readonly metadata: (typeof METADATA_RULES)[number];
  /** How long a signed URL accepts bytes. */
  readonly urlTtlSeconds: number;
  /** Lifetime of a temporary file after finalizing. */
  readonly temporaryTtlSeconds: number;
  /** Minimum size of all parts but the last. */
  readonly minPartBytes: number;
}

/** Reports whether a file of this name is saved without its metadata. Drawings are not made by cameras. */
export function losesMetadata(filename: string, { metadata }: Pick<UploadRules, 'metadata'>): boolean {
  const contentType = STORED_TYPES[fileNameOf(filename).extension];
  return metadata === 'strip' && contentType.startsWith('image/') && contentType !== STORED_TYPES.svg;
}

/** The reason to refuse bytes of this detected content type; `null` when they are what the file name says. */
export function refusalOfType(detected: string | null, filename: string): DomainError | null {
  if (detected === STORED_TYPES[fileNameOf(filename).extension]) return null;
  return new DomainError('file_type_mismatch', 'the uploaded bytes are not what the file name says');
}

/** The reason to refuse a file of this size; `null` when it is accepted. */
export function refusalOfSize(
  bytes: number,
  filename: string,
  rules: Pick<UploadRules, 'maxBytes' | 'maxStrippedBytes' | 'metadata'>,
): DomainError | null {
  if (bytes === 0) return new DomainError('file_type_mismatch', 'the file is empty');
  if (bytes > rules.maxBytes) return new DomainError('too_large', `a file may have at most ${rules.maxBytes} bytes`);
  if (bytes <= rules.maxStrippedBytes || !losesMetadata(filename, rules)) return null;
  return new DomainError('too_large', `a picture may have at most ${rules.maxStrippedBytes} bytes`);
}

/** Part numbers listed in an error message. */
const SHOWN = 10;

/** The reason to refuse the parts that were sent of `count`; `null` when they can be joined. */
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
