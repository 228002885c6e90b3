import fc from 'fast-check';
import { emailOf, type Email } from '../index.ts';

const letters = fc.string({ unit: fc.constantFrom(...'abcxyzäéßж文0159'), minLength: 1, maxLength: 12 });

/** E-mail addresses in all accepted formats. */
export const emails: fc.Arbitrary<Email> = fc
  .tuple(fc.array(letters, { minLength: 1, maxLength: 3 }), fc.array(letters, { minLength: 1, maxLength: 3 }))
  .map(([atoms, labels]) => emailOf(`${atoms.join('.')}@${labels.join('.')}.test`));

/** Text that PostgreSQL can store: any characters but NUL. */
export const texts: fc.Arbitrary<string> = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => !text.includes('\0'));

/** Points in time with millisecond precision, as in the database. */
export const times: fc.Arbitrary<Date> = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2190-01-01T00:00:00Z'),
  noInvalidDate: true,
});
