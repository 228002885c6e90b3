import { field, type FieldOptions } from './field.ts';

/** An object of an answer whose content this API does not fix, such as a JSON Schema. */
export function JsonField(options: FieldOptions<object>): PropertyDecorator {
  return field(
    { schema: { type: 'object', additionalProperties: true }, parse: (raw) => raw, problem: () => undefined },
    options,
  );
}
