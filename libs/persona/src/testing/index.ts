import fc from 'fast-check';
import { SLOTS, type PersonaProfile, type Training } from '../index.ts';

/** What PostgreSQL can store as text: anything without NUL. */
const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => !text.includes('\0'));

/** Points in time to the millisecond, as the database keeps them. */
export const times: fc.Arbitrary<Date> = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2190-01-01T00:00:00Z'),
  noInvalidDate: true,
});

export const profiles: fc.Arbitrary<PersonaProfile> = fc.record({
  name: texts,
  title: fc.option(texts),
  knows: fc.option(texts),
  profession: fc.option(texts),
});

/** Some parts of a profile; the others are absent. */
export const changes: fc.Arbitrary<Partial<PersonaProfile>> = fc.record(
  { name: texts, title: fc.option(texts), knows: fc.option(texts), profession: fc.option(texts) },
  { requiredKeys: [] },
);

/** What a training says of itself. */
export const trainingContents: fc.Arbitrary<Pick<Training, 'slot' | 'sourceUrl' | 'extras' | 'info' | 'createdAt'>> =
  fc.record({
    slot: fc.option(fc.constantFrom(...SLOTS)),
    sourceUrl: fc.webUrl({ withQueryParameters: true }),
    extras: fc.option(texts),
    info: fc.option(texts),
    createdAt: times,
  });
