import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';

export interface FieldOptions<T> {
  readonly example?: T | null;
  /** True if the field must be in a request or is always in a response. Default true. */
  readonly required?: boolean;
  /** True if the field may be null; in a form, the empty string and the word `null` mean null. Default false. */
  readonly nullable?: boolean;
}

/** The longest text of a request field that declares no other limit, in characters. */
export const DEFAULT_MAX_LENGTH = 1000;

/** The differences between kinds of fields. */
export interface FieldKind {
  readonly schema: ApiPropertyOptions;
  /**
   * The longest text that `parse` and `problem` get, in UTF-16 units; longer text is refused by its length alone.
   * Default `DEFAULT_MAX_LENGTH`.
   */
  readonly maxUnits?: number;
  /** Maximum items of a list in a request. Other kinds take no list. */
  readonly maxItems?: number;
  /** Why longer text is refused. Default: it names `maxUnits`. */
  readonly tooLong?: string;
  /** Converts the value of a request; returns a value that it can't convert unchanged, for `problem` to refuse. */
  readonly parse?: (raw: unknown) => unknown;
  /** Why the value is refused, worded to follow the name of the field. */
  readonly problem?: (value: unknown) => string | undefined;
  /** Kind of a field of any content, which is read as it is. */
  readonly isJson?: 'object' | 'list';
  /** Why the content of an `isJson` object is refused, worded to follow the name of the field. */
  readonly check?: (content: object) => string | undefined;
  /** The class of the object that a response holds here. */
  readonly nested?: () => Type<object>;
  /** The class of an object in a request, which is read like a request. */
  readonly object?: () => Type<object>;
  /** The class of the objects in a list of a request, which are read like a request. */
  readonly elements?: () => Type<object>;
}

/** A field of a class. */
export interface Field extends FieldKind {
  accepts(value: unknown): boolean;
}

const FIELDS = Symbol('fields');

/**
 * Declares a field: how it is converted, validated, serialized and documented.
 *
 * @param description what the field means, in one sentence
 */
export function field(kind: FieldKind, description: string, options: FieldOptions<unknown>): PropertyDecorator {
  const { example, required = true, nullable = false } = options;
  const { maxUnits = DEFAULT_MAX_LENGTH, tooLong = `must have at most ${maxUnits} characters` } = kind;
  // Regular expressions and Unicode normalization may take long for long text.
  const isTooLong = (value: unknown): boolean => typeof value === 'string' && value.length > maxUnits;
  const problem = (value: unknown): string | undefined => {
    if (value === undefined) return required ? 'is required' : undefined;
    if (value === null) return nullable ? undefined : 'must not be null';
    return isTooLong(value) ? tooLong : kind.problem?.(value);
  };
  const parse = (raw: unknown): unknown => {
    if (raw === undefined || raw === null || isTooLong(raw)) return raw;
    if (nullable && (raw === '' || raw === 'null')) return null;
    return kind.parse ? kind.parse(raw) : raw;
  };
  const accepts = (value: unknown): boolean => problem(value) === undefined;
  return applyDecorators(
    (prototype: object, name?: string | symbol) => addField(prototype, String(name), { ...kind, accepts }),
    Expose(),
    Transform(({ value }) => parse(value)),
    ValidateBy({
      name: 'field',
      validator: {
        validate: accepts,
        defaultMessage: (args?: ValidationArguments) => problem(args?.value) ?? 'is not valid',
      },
    }),
    ApiProperty({
      ...kind.schema,
      description,
      // JSON Schema, which OpenAPI 3.1 uses, has a list of examples.
      ...(example === undefined ? {} : { examples: [example] }),
      required,
      ...(nullable ? { nullable } : {}),
    } as ApiPropertyOptions),
  ) as PropertyDecorator;
}

function addField(prototype: object, name: string, declared: Field): void {
  Reflect.defineMetadata(FIELDS, new Map([...declaredOn(prototype), [name, declared]]), prototype);
}

function declaredOn(prototype: object): ReadonlyMap<string, Field> {
  return (Reflect.getMetadata(FIELDS, prototype) as ReadonlyMap<string, Field> | undefined) ?? new Map();
}

/** The fields of a request or response class by name. */
export function fieldsOf(type: Type<object>): ReadonlyMap<string, Field> {
  return declaredOn(type.prototype as object);
}
