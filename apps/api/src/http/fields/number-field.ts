import { field, type FieldOptions } from './field.ts';

export interface NumberFieldOptions extends FieldOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

/** A number that need not be whole. */
export function NumberField(options: NumberFieldOptions): PropertyDecorator {
  const { min = -Infinity, max = Infinity } = options;
  return field(
    {
      schema: {
        type: 'number',
        ...(options.min === undefined ? {} : { minimum: min }),
        ...(options.max === undefined ? {} : { maximum: max }),
      },
      parse: (raw) => (typeof raw === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(raw) ? Number(raw) : raw),
      problem: (value) =>
        typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max
          ? undefined
          : `must be ${numberRange(options.min, options.max)}`,
    },
    options,
  );
}

function numberRange(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
  if (min !== undefined) return `a number of at least ${min}`;
  return max === undefined ? 'a number' : `a number of at most ${max}`;
}
