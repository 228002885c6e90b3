import { isEmail } from 'class-validator';
import { field, type FieldOptions } from './field.ts';

/** An e-mail address, as it was given. */
export function EmailField(options: FieldOptions<string>): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'email', maxLength: 254 },
      parse: (raw) => raw,
      problem: (value) => (isEmail(value) ? undefined : 'must be an e-mail address'),
    },
    options,
  );
}
