import { field, type FieldOptions } from './field.ts';

/** One of these words. */
export function ChoiceField<const T extends string>(
  choices: readonly T[],
  options: FieldOptions<NoInfer<T>>,
): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', enum: [...choices] },
      parse: (raw) => raw,
      problem: (value) =>
        (choices as readonly unknown[]).includes(value) ? undefined : `must be ${choices.join(' or ')}`,
    },
    options,
  );
}
