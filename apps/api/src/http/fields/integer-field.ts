import { field, type FieldOptions } from './field.ts';

export interface IntegerFieldOptions extends FieldOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

/** A safe integer. */
export function IntegerField(options: IntegerFieldOptions): PropertyDecorator {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  return field(
    {
      schema: {
        type: 'integer',
        ...(options.min === undefined ? {} : { minimum: min }),
        ...(options.max === undefined ? {} : { maximum: max }),
      },
      parse: parseInteger,
      problem: (value) =>
        Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
          ? undefined
          : `must be ${integerRange(options.min, options.max)}`,
    },
    options,
  );
}

/** Only `-?[0-9]+` is an integer, and only a safe one; anything else comes back as it is. */
export function parseInteger(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^-?[0-9]+$/.test(raw)) return raw;
  const value = Number(raw);
  return Number.isSafeInteger(value) ? (Object.is(value, -0) ? 0 : value) : raw;
}

function integerRange(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `an integer from ${min} to ${max}`;
  if (min === 1) return 'a positive integer';
  if (min !== undefined) return `an integer of at least ${min}`;
  return max === undefined ? 'an integer' : `an integer of at most ${max}`;
}
