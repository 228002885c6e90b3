import fc from 'fast-check';
import type { GenerationError, GenerationRequest, Output } from '../domain/generation.ts';
import type { InputSource } from '../domain/resolve-inputs.ts';

/** Records that generations can reference. */
export interface GenerationSetting {
  readonly workspaceId: number;
  readonly userId: number;
  readonly personaId: number;
  readonly files: ReadonlyArray<{ readonly fileId: number; readonly key: string }>;
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const amount = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);

export const anyTime = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
export const anyFraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
export const anyError: fc.Arbitrary<GenerationError> = fc.record({ code: text, message: text });

export function anyRequest(setting: GenerationSetting): fc.Arbitrary<GenerationRequest> {
  const source: fc.Arbitrary<InputSource> = fc.oneof(
    fc.constantFrom(...setting.files).map(({ key, fileId }) => ({ key, fileId })),
    fc.record({ url: fc.webUrl(), fileId: fc.constant(null) }),
  );
  return fc.record({
    workspaceId: fc.constant(setting.workspaceId),
    userId: fc.constant(setting.userId),
    personaId: optional(fc.constant(setting.personaId)),
    model: text,
    kind: fc.constantFrom('image' as const, 'video' as const),
    prompt: optional(text),
    parameters: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(text, fc.boolean(), amount), {
      noNullPrototype: true,
    }),
    inputs: fc.record({ image: optional(source), styleReference: optional(source) }),
    cost: fc.nat({ max: 1_000_000 }),
    createdAt: anyTime,
  });
}

/** An output and the key of its file. */
export function anyOutput({
  files,
}: GenerationSetting): fc.Arbitrary<{ readonly output: Output; readonly key: string }> {
  const shape = fc.record({
    contentType: fc.constantFrom('image/png', 'video/mp4'),
    width: fc.integer({ min: 1, max: 10_000 }),
    height: fc.integer({ min: 1, max: 10_000 }),
    duration: optional(fc.double({ min: 0.1, max: 600, noNaN: true })),
  });
  return fc
    .tuple(fc.constantFrom(...files), shape)
    .map(([{ fileId, key }, output]) => ({ key, output: { fileId, ...output } }));
}
