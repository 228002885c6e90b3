import fc from 'fast-check';
import type { GenerationError, GenerationRequest, Output } from '../domain/generation.ts';
import type { GenerationWorld } from './generation-world.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
const amount = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);

export function anyRequest(world: GenerationWorld): fc.Arbitrary<GenerationRequest> {
  const source = fc.record({ url: fc.webUrl(), fileId: optional(fc.constantFrom(...world.fileIds)) });
  return fc.record({
    workspaceId: fc.constant(world.workspaceId),
    userId: fc.constant(world.userId),
    personaId: optional(fc.constant(world.personaId)),
    model: text,
    kind: fc.constantFrom('image' as const, 'video' as const),
    prompt: optional(text),
    parameters: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(text, fc.boolean(), amount), {
      noNullPrototype: true,
    }),
    inputs: fc.record({ image: optional(source), styleReference: optional(source) }),
    cost: fc.nat({ max: 1_000_000 }),
    createdAt: time,
  });
}

export function anyOutput(world: GenerationWorld): fc.Arbitrary<Output> {
  return fc.record({
    fileId: fc.constantFrom(...world.fileIds),
    contentType: fc.constantFrom('image/png', 'video/mp4'),
    width: fc.integer({ min: 1, max: 10_000 }),
    height: fc.integer({ min: 1, max: 10_000 }),
    duration: optional(fc.double({ min: 0.1, max: 600, noNaN: true })),
  });
}

export const anyError: fc.Arbitrary<GenerationError> = fc.record({ code: text, message: text });
export const anyFraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
export const anyTime = time;
