import { parseInteger } from './integer-field.ts';
import { field, type FieldOptions } from './field.ts';

export interface IdsFieldOptions extends FieldOptions<readonly number[]> {
  readonly max: number;
}

/** Several ids: in JSON a list, in a form separated by commas. */
export function IdsField(options: IdsFieldOptions): PropertyDecorator {
  return field(
    {
      schema: { type: 'integer', isArray: true, minItems: 1, maxItems: options.max },
      parse: (raw) => {
        if (Array.isArray(raw)) return raw.map(parseInteger);
        return typeof raw === 'string' ? raw.split(',').map((id) => parseInteger(id.trim())) : raw;
      },
      problem: (value) => {
        if (!Array.isArray(value) || !value.every((id) => Number.isSafeInteger(id) && id > 0)) {
          return 'must be a list of positive integers';
        }
        return value.length >= 1 && value.length <= options.max
          ? undefined
          : `must have 1 to ${options.max} ids`;
      },
    },
    options,
  );
}
