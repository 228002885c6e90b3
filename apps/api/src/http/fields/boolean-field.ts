import { field, type FieldOptions } from './field.ts';

const WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** `true`, `false`, `1` or `0`. */
export function BooleanField(options: FieldOptions<boolean>): PropertyDecorator {
  return field(
    {
      schema: { type: 'boolean' },
      parse: (raw) => WORDS.get(raw) ?? raw,
      problem: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
    },
    options,
  );
}
