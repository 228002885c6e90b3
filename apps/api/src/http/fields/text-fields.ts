import { isEmail } from 'class-validator';
import { field, type FieldOptions } from './field.ts';

const MAX_URL_LENGTH = 2048;

export interface TextFieldOptions extends FieldOptions<string> {
  /** Characters, at least. Default 1 for a required field, else 0. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** What `pattern` requires, worded to follow "must be". */
  readonly patternMeans?: string;
  readonly format?: string;
}

/** Text of a limited number of characters, unchanged. */
export function TextField(description: string, options: TextFieldOptions = {}): PropertyDecorator {
  const { required = true, min = required ? 1 : 0, max = Infinity, pattern, patternMeans, format } = options;
  const range = lengthRange(min, max);
  return field(
    {
      schema: {
        type: 'string',
        ...(min > 0 ? { minLength: min } : {}),
        ...(max < Infinity ? { maxLength: max } : {}),
        ...(pattern ? { pattern: pattern.source } : {}),
        ...(format ? { format } : {}),
      },
      problem: (value) => {
        if (typeof value !== 'string') return 'must be a string';
        const length = characters(value, max);
        if (min === 1 && length === 0) return 'is required';
        if (length < min || length > max) return `must have ${range}`;
        if (!pattern || pattern.test(value)) return undefined;
        return `must be ${patternMeans ?? `text matching ${pattern.source}`}`;
      },
    },
    description,
    options,
  );
}

/** Unicode characters, as PostgreSQL and JSON Schema count them; the length suffices for a far too long text. */
function characters(text: string, max: number): number {
  return text.length > max * 2 ? text.length : [...text].length;
}

function lengthRange(min: number, max: number): string {
  if (max === Infinity) return `at least ${min} characters`;
  return min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`;
}

/** An e-mail address, unchanged. */
export function EmailField(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'email', maxLength: 254 },
      problem: (value) => (isEmail(value) ? undefined : 'must be an e-mail address'),
    },
    description,
    options,
  );
}

/** An absolute http or https URL, unchanged. */
export function UrlField(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH },
      problem: (value) => {
        if (!isHttpUrl(value)) return 'must be an http or https URL';
        return value.length > MAX_URL_LENGTH ? `must have at most ${MAX_URL_LENGTH} characters` : undefined;
      },
    },
    description,
    options,
  );
}

function isHttpUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value);
}

/** One of a few words. */
export function ChoiceField<const T extends string>(
  choices: readonly T[],
  description: string,
  options: FieldOptions<NoInfer<T>> = {},
): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', enum: [...choices] },
      problem: (value) =>
        (choices as readonly unknown[]).includes(value) ? undefined : `must be ${choices.join(' or ')}`,
    },
    description,
    options,
  );
}

/** A time in a response: a `Date`, sent as ISO 8601 in UTC. */
export function TimeField(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  const schema = { type: 'string', format: 'date-time' } as const;
  return field({ schema }, description, { example: '2026-11-21T07:30:00.000Z', ...options });
}
