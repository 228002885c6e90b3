import { field, type FieldOptions } from './field.ts';

export interface TextFieldOptions extends FieldOptions<string> {
  /** Characters, at least. Default 1 for a required field, else 0. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** What `pattern` asks for, worded to follow "must be". */
  readonly patternMeans?: string;
  readonly format?: string;
}

/** Text of so many characters, as it was given. */
export function TextField(options: TextFieldOptions): PropertyDecorator {
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
      parse: (raw) => raw,
      problem: (value) => {
        if (typeof value !== 'string') return 'must be a string';
        const length = characters(value, max);
        if (length < min || length > max)
          return min === 1 && length === 0 ? 'is required' : `must have ${range}`;
        if (pattern && !pattern.test(value))
          return `must be ${patternMeans ?? `text matching ${pattern.source}`}`;
        return undefined;
      },
    },
    options,
  );
}

/** Unicode characters, as PostgreSQL and JSON Schema count them; of far too long a text, its length will do. */
function characters(text: string, max: number): number {
  return text.length > max * 2 ? text.length : [...text].length;
}

function lengthRange(min: number, max: number): string {
  if (max === Infinity) return `at least ${min} characters`;
  return min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`;
}
