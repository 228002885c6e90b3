import { field, type FieldKind, type FieldOptions } from './field.ts';

export interface NumberFieldOptions extends FieldOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

/** A safe integer. */
export function IntegerField(description: string, options: NumberFieldOptions = {}): PropertyDecorator {
  const noun = options.min === 1 && options.max === undefined ? 'a positive integer' : range('an integer', options);
  return field(bounded('integer', options, parseInteger, Number.isSafeInteger, noun), description, options);
}

/** A finite number, whole or not. */
export function NumberField(description: string, options: NumberFieldOptions = {}): PropertyDecorator {
  const parse = (raw: unknown): unknown =>
    typeof raw === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(raw) ? Number(raw) : raw;
  const kind = bounded('number', options, parse, Number.isFinite, range('a number', options));
  return field(kind, description, options);
}

function bounded(
  type: 'integer' | 'number',
  options: NumberFieldOptions,
  parse: (raw: unknown) => unknown,
  isNumber: (value: unknown) => boolean,
  noun: string,
): FieldKind {
  const { min, max } = options;
  const isWithin = (value: number): boolean => value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  const bounds = { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
  const problem = (value: unknown): string | undefined =>
    isNumber(value) && isWithin(value as number) ? undefined : `must be ${noun}`;
  return { schema: { type, ...bounds }, parse, problem };
}

/** The integer of the text `-?[0-9]+`, if it is safe; returns anything else unchanged. */
export function parseInteger(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^-?[0-9]+$/.test(raw)) return raw;
  const value = Number(raw);
  return Number.isSafeInteger(value) ? value + 0 : raw;
}

function range(noun: string, { min, max }: NumberFieldOptions): string {
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  if (min !== undefined) return `${noun} of at least ${min}`;
  return max === undefined ? noun : `${noun} of at most ${max}`;
}

/** The id of a resource, or a word instead of one. */
export function IdOrWordField<const Word extends string>(
  word: Word,
  description: string,
  options: FieldOptions<number | Word> = {},
): PropertyDecorator {
  const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
  return field(
    {
      schema: {
        oneOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', enum: [word] },
        ],
      },
      parse: parseInteger,
      problem: (value) => (value === word || isId(value) ? undefined : `must be a positive integer or ${word}`),
    },
    description,
    options,
  );
}

const WORDS = new Map<unknown, boolean>([
  ...['true', '1', 1].map((word) => [word, true] as const),
  ...['false', '0', 0].map((word) => [word, false] as const),
]);

/** `true`, `false`, `1` or `0`. */
export function BooleanField(description: string, options: FieldOptions<boolean> = {}): PropertyDecorator {
  return field(
    {
      schema: { type: 'boolean' },
      parse: (raw) => WORDS.get(raw) ?? raw,
      problem: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
    },
    description,
    options,
  );
}

/** `true`, `false`, `1` or `0`, or another text. */
export function BooleanOrTextField(
  description: string,
  options: FieldOptions<boolean | string> & { readonly max: number },
): PropertyDecorator {
  const { max } = options;
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && [...value].length <= max;
  return field(
    {
      schema: { oneOf: [{ type: 'boolean' }, { type: 'string', minLength: 1, maxLength: max }] },
      maxUnits: max * 2,
      tooLong: `must have at most ${max} characters`,
      parse: (raw) => WORDS.get(raw) ?? raw,
      problem: (value) =>
        typeof value === 'boolean' || isText(value) ? undefined : `must be true, false, or 1 to ${max} characters`,
    },
    description,
    options,
  );
}
