import type { Type } from '@nestjs/common';
import { getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { field, type FieldKind, type FieldOptions } from './field.ts';
import { parseInteger } from './number-fields.ts';

export interface IdsFieldOptions extends FieldOptions<readonly number[]> {
  readonly max: number;
}

/** Characters of an id, with its comma and a few blanks. */
const MAX_ID_UNITS = 20;
/** Characters of a small object as JSON text. */
const MAX_OBJECT_UNITS = 2000;

/** Several ids of a request: a list in JSON, separated by commas in a form. */
export function IdsField(description: string, options: IdsFieldOptions): PropertyDecorator {
  const { max } = options;
  return field(
    {
      schema: { type: 'integer', isArray: true, minItems: 1, maxItems: max },
      maxItems: max,
      maxUnits: max * MAX_ID_UNITS,
      tooLong: `must have 1 to ${max} ids`,
      parse: (raw) => {
        const items = itemsOf(raw);
        return Array.isArray(items) ? items.map(parseInteger) : items;
      },
      problem: (value) => {
        const isList = Array.isArray(value) && value.every((id) => Number.isSafeInteger(id) && id > 0);
        if (!isList) return 'must be a list of positive integers';
        return value.length >= 1 && value.length <= max ? undefined : `must have 1 to ${max} ids`;
      },
    },
    description,
    options,
  );
}

/** Several distinct choices: a list in JSON, separated by commas in a form; an empty text for none, if that may be. */
export function ChoicesField<const T extends string>(
  choices: readonly T[],
  description: string,
  { min = 1, ...options }: FieldOptions<readonly NoInfer<T>[]> & { readonly min?: 0 | 1 } = {},
): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', enum: [...choices], isArray: true, minItems: min, uniqueItems: true },
      maxItems: choices.length,
      parse: (raw) => (raw === '' && min === 0 ? [] : itemsOf(raw)),
      problem: (value) => {
        const given = Array.isArray(value) ? value : [null];
        const isChosen = given.length >= min && given.every((each) => (choices as readonly unknown[]).includes(each));
        if (!isChosen) return `must be a list of ${choices.join(', ')}`;
        return new Set(given).size === given.length ? undefined : 'must name each once';
      },
    },
    description,
    options,
  );
}

interface TextsLimits {
  /** Default 1. */
  readonly min?: number;
  readonly max: number;
  /** Maximum length of each text, in UTF-16 units. */
  readonly maxUnits: number;
}

/** Several texts of a request: a list in JSON, separated by commas in a form; an empty text for none, if that may be. */
export function TextsField(
  description: string,
  { min = 1, max, maxUnits, ...options }: FieldOptions<readonly string[]> & TextsLimits,
): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', isArray: true, minItems: min, maxItems: max },
      maxItems: max,
      maxUnits: max * (maxUnits + 1),
      parse: (raw) => (raw === '' && min === 0 ? [] : itemsOf(raw)),
      problem: (value) => {
        const isList = Array.isArray(value) && value.length >= min && value.length <= max;
        if (!isList || !value.every((each) => typeof each === 'string')) {
          return `must be a list of ${min} to ${max} texts`;
        }
        const isShort = value.every((each: string) => each.length <= maxUnits);
        return isShort ? undefined : `must have texts of at most ${maxUnits} characters`;
      },
    },
    description,
    options,
  );
}

interface JsonOptions {
  /** Schema of its content. Default: any. */
  readonly schema?: ApiPropertyOptions;
  readonly check?: FieldKind['check'];
}

/** Maximum length of an object in a request; larger than any entry of the catalogue. */
const MAX_JSON_UNITS = 1_000_000;

/** Several objects of a request, described by their own class: a list in JSON, or in a form the JSON text of a list. */
export function ObjectsField(
  type: () => Type<object>,
  description: string,
  { max, ...options }: FieldOptions<readonly object[]> & { readonly max: number },
): PropertyDecorator {
  return field(
    {
      // Swagger recognizes a function that returns the class by its name, `type`.
      schema: { type: () => type(), isArray: true, minItems: 1, maxItems: max },
      elements: type,
      maxItems: max,
      maxUnits: max * MAX_OBJECT_UNITS,
      parse: fromJson,
      problem: (value) => {
        const isList = Array.isArray(value) && value.length >= 1 && value.length <= max;
        return isList ? undefined : `must be a list of 1 to ${max} objects`;
      },
    },
    description,
    options,
  );
}

/** Text as JSON, if it is that. */
function fromJson(raw: unknown): unknown {
  try {
    return typeof raw === 'string' ? JSON.parse(raw) : raw;
  } catch {
    return raw;
  }
}

/** A list in JSON, or in a form, separated by commas. */
function itemsOf(raw: unknown): unknown {
  return typeof raw === 'string' ? raw.split(',').map((item) => item.trim()) : raw;
}

/** A kind of field that only responses have. */
function shown<T>(schema: ApiPropertyOptions) {
  return (description: string, options: FieldOptions<T> = {}) => field({ schema }, description, options);
}

/** Two numbers of a request under the names of a class: an object in JSON, or their text, such as `12.0`. */
export function PairField<const Name extends string>(
  type: () => Type<Record<Name, number>>,
  [first, second]: readonly [Name, Name],
  description: string,
  options: FieldOptions<string> = {},
): PropertyDecorator {
  const pattern = /^([0-9]{1,16})\.([0-9]{1,16})$/;
  return field(
    {
      schema: { oneOf: [{ $ref: getSchemaPath(type()) }, { type: 'string', pattern: pattern.source }] },
      object: type,
      parse: (raw) => {
        const found = typeof raw === 'string' ? pattern.exec(raw) : null;
        return found ? { [first]: found[1], [second]: found[2] } : raw;
      },
      // The fields of an object are checked one by one.
      problem: (value) =>
        ['object', 'symbol'].includes(typeof value) ? undefined : `must be ${first} and ${second}, such as 12.0`,
    },
    description,
    options,
  );
}

/** An object in a response, described by its own class. */
export function ObjectField(
  type: () => Type<object>,
  description: string,
  options: FieldOptions<object> = {},
): PropertyDecorator {
  // Swagger recognizes a function that returns the class by its name, `type`.
  return field({ schema: { type: () => type() }, nested: type }, description, options);
}

/** A list in a response: objects of one class, strings or numbers. */
export function ListField(
  type: () => Type<object> | typeof String | typeof Number,
  description: string,
  options: FieldOptions<readonly unknown[]> = {},
): PropertyDecorator {
  // See above: the function must be called `type`.
  const schema = { type: () => type() as Type<object>, isArray: true };
  return field({ schema }, description, options);
}

/** In a response a list of indexes, with null for none. */
export const IndexesField = shown<readonly (number | null)[]>({
  type: 'array',
  items: { type: ['integer', 'null'], minimum: 0 } as never,
});

const URL_SCHEMA = { type: 'string', format: 'uri' } as const;

/** In a response a URL, a list of several URLs, or a list of objects of one class. */
export function OutputField(
  type: () => Type<object>,
  description: string,
  options: FieldOptions<string | readonly unknown[]> = {},
): PropertyDecorator {
  const urls = { type: 'array', items: URL_SCHEMA };
  const objects = { type: 'array', minItems: 1, items: { $ref: getSchemaPath(type()) } };
  const schema = { oneOf: [URL_SCHEMA, urls, objects] };
  return field({ schema }, description, options);
}

/** In a response a number, or an object with a number for each of several values. */
export const NumberOrNumbersField = shown<number | Readonly<Record<string, number>>>({
  oneOf: [{ type: 'number' }, { type: 'object', additionalProperties: { type: 'number' } }],
});

/** In a response an object of one class, or one of a few words. */
export function ObjectOrWordField(
  type: () => Type<object>,
  words: readonly string[],
  description: string,
  options: FieldOptions<object | string> = {},
): PropertyDecorator {
  const schema = { oneOf: [{ $ref: getSchemaPath(type()) }, { type: 'string', enum: [...words] }] };
  return field({ schema }, description, options);
}

/** In a response an id, or the name of something that has none. */
export const IdOrNameField = shown<number | string>({ oneOf: [{ type: 'integer' }, { type: 'string' }] });

/** Counts in a response, by name. */
export const CountsField = shown<Readonly<Record<string, number>>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
});

/**
 * An object whose content the use case reads, or that this API does not define, such as a JSON Schema; in a form its JSON
 * text.
 */
export function JsonField(
  description: string,
  {
    schema = { type: 'object', additionalProperties: true },
    check,
    ...options
  }: FieldOptions<object> & JsonOptions = {},
): PropertyDecorator {
  return field(
    { schema, isJson: 'object', ...(check && { check }), maxUnits: MAX_JSON_UNITS, parse: fromJson },
    description,
    options,
  );
}

/** A list of objects that the use case reads, each described by a class and further fields; in a form its JSON text. */
export function RowsField(
  type: () => Type<object>,
  description: string,
  { max, ...options }: FieldOptions<readonly object[]> & { readonly max: number },
): PropertyDecorator {
  return field(
    {
      // Swagger recognizes a function that returns the class by its name, `type`.
      schema: { type: () => type(), isArray: true, minItems: 1, maxItems: max },
      isJson: 'list',
      maxUnits: MAX_JSON_UNITS,
      parse: fromJson,
    },
    description,
    options,
  );
}
