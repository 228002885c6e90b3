import { isEmail } from 'class-validator';
import { DEFAULT_MAX_LENGTH, field, type FieldOptions } from './field.ts';

const MAX_URL_LENGTH = 2048;
const MAX_EMAIL_LENGTH = 254;
const NO_EMAIL = 'must be an e-mail address';

export interface TextFieldOptions extends FieldOptions<string> {
  /** Characters, at least. Default 1 for a required field, else 0. */
  readonly min?: number;
  /** Characters, at most. Default for requests `DEFAULT_MAX_LENGTH`; responses have no limit. */
  readonly max?: number;
  readonly pattern?: RegExp;
  /** Meaning of `pattern`, worded to follow "must be". */
  readonly patternMeans?: string;
  readonly format?: string;
}

/** The bytes of a file: a file of a form, or the body itself. See `TakesFile`. */
export function FileField(description: string, options: { readonly maxBytes: number }): PropertyDecorator {
  const problem = (value: unknown) => {
    if (!Buffer.isBuffer(value)) return 'must be a file';
    return value.length > options.maxBytes ? `must have at most ${options.maxBytes} bytes` : undefined;
  };
  return field({ schema: { type: 'string', format: 'binary' }, problem }, description, { required: false });
}

/** Text of a limited number of characters, unchanged. */
export function TextField(description: string, options: TextFieldOptions = {}): PropertyDecorator {
  const { required = true, min = required ? 1 : 0, pattern, patternMeans, format } = options;
  const { max = DEFAULT_MAX_LENGTH } = options;
  const range = min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`;
  return field(
    {
      schema: {
        type: 'string',
        ...(min > 0 ? { minLength: min } : {}),
        ...(options.max === undefined ? {} : { maxLength: max }),
        ...(pattern ? { pattern: pattern.source } : {}),
        ...(format ? { format } : {}),
      },
      // A character has up to two units.
      maxUnits: max * 2,
      tooLong: `must have ${range}`,
      problem: (value) => {
        if (typeof value !== 'string') return 'must be a string';
        // Unicode characters, as PostgreSQL and JSON Schema count them.
        const { length } = [...value];
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

/** An e-mail address, unchanged. */
export function EmailField(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH },
      maxUnits: MAX_EMAIL_LENGTH,
      tooLong: NO_EMAIL,
      problem: (value) => (isEmail(value) ? undefined : NO_EMAIL),
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
      maxUnits: MAX_URL_LENGTH,
      problem: (value) => (isHttpUrl(value) ? undefined : 'must be an http or https URL'),
    },
    description,
    options,
  );
}

function isHttpUrl(value: unknown): boolean {
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
