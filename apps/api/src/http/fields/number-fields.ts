import { field, type FieldOptions } from './field.ts';

export interface NumberFieldOptions extends FieldOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

/** A safe integer. */
export function IntegerField(options: NumberFieldOptions): PropertyDecorator {
  const { min, max } = options;
  const noun = min === 1 && max === undefined ? 'a positive integer' : range('an integer', options);
  return field(
    {
      schema: { type: 'integer', ...bounds(options) },
      parse: parseInteger,
      problem: (value) =>
        Number.isSafeInteger(value) && isWithin(value as number, options) ? undefined : `must be ${noun}`,
    },
    options,
  );
}

/** A finite number, whole or not. */
export function NumberField(options: NumberFieldOptions): PropertyDecorator {
  const noun = range('a number', options);
  return field(
    {
      schema: { type: 'number', ...bounds(options) },
      parse: (raw) => (typeof raw === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(raw) ? Number(raw) : raw),
      problem: (value) =>
        Number.isFinite(value) && isWithin(value as number, options) ? undefined : `must be ${noun}`,
    },
    options,
  );
}

/** The integer that the text `-?[0-9]+` denotes, if it is a safe one; returns anything else unchanged. */
export function parseInteger(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^-?[0-9]+$/.test(raw)) return raw;
  const value = Number(raw);
  return Number.isSafeInteger(value) ? value + 0 : raw;
}

function bounds({ min, max }: NumberFieldOptions): { minimum?: number; maximum?: number } {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}

function isWithin(value: number, { min = -Infinity, max = Infinity }: NumberFieldOptions): boolean {
  return value >= min && value <= max;
}

function range(noun: string, { min, max }: NumberFieldOptions): string {
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  if (min !== undefined) return `${noun} of at least ${min}`;
  return max === undefined ? noun : `${noun} of at most ${max}`;
}

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
