import fc from 'fast-check';
import { texts, times } from '#testing/identity';
import { SLOTS, type PersonaProfile, type Training } from '../index.ts';

export { times };

export const profiles: fc.Arbitrary<PersonaProfile> = fc.record({
  name: texts,
  title: fc.option(texts),
  knows: fc.option(texts),
  profession: fc.option(texts),
});

/** Contents of a training. */
export const trainingContents: fc.Arbitrary<Pick<Training, 'slot' | 'sourceUrl' | 'extras' | 'info' | 'createdAt'>> =
  fc.record({
    slot: fc.option(fc.constantFrom(...SLOTS)),
    sourceUrl: fc.webUrl({ withQueryParameters: true }),
    extras: fc.option(texts),
    info: fc.option(texts),
    createdAt: times,
  });
