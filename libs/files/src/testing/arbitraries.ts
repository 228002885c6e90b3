import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { CONTENT_TYPES, fileNameOf, type FileExtension } from '../index.ts';

/** A token that no other call gives. */
export function someToken(): string {
  return randomBytes(12).toString('base64url');
}

export const extensions = fc.constantFrom(...(Object.keys(CONTENT_TYPES) as FileExtension[]));

/** File names that keep every rule, in whatever letters. */
export const filenames: fc.Arbitrary<string> = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), extensions)
  .map(([stem, extension]) => `${stem}.${extension}`.normalize('NFC'))
  .filter(isFileName);

/** Points in time to the millisecond, as the database keeps them. */
export const times: fc.Arbitrary<Date> = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2190-01-01T00:00:00Z'),
  noInvalidDate: true,
});

function isFileName(text: string): boolean {
  try {
    return fileNameOf(text).text === text;
  } catch {
    return false;
  }
}
