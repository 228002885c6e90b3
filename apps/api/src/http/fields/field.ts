import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';

export interface FieldOptions<T> {
  /** What the field means, one sentence. */
  readonly description: string;
  readonly example?: T | null;
  /** Must be in the request, or is always in the answer. Default true. */
  readonly required?: boolean;
  /** May be null; in a form the empty string and the word `null` are null. Default false. */
  readonly nullable?: boolean;
}

/** What sets one kind of field apart from the others. */
export interface FieldKind {
  readonly schema: ApiPropertyOptions;
  /** The value of what a request holds; what is not understood comes back as it is, for `problem` to refuse. */
  parse(raw: unknown): unknown;
  /** Why the value is refused, worded to follow the name of the field. */
  problem(value: unknown): string | undefined;
}

export type ParseField = (raw: unknown) => unknown;

const FIELDS = Symbol('fields');

/** One decorator a field: how it is read from a request, its rules, and how it is documented. */
export function field(kind: FieldKind, options: FieldOptions<unknown>): PropertyDecorator {
  const { description, example, required = true, nullable = false } = options;
  const problem = (value: unknown): string | undefined => {
    if (value === undefined) return required ? 'is required' : undefined;
    if (value === null) return nullable ? undefined : 'must not be null';
    return kind.problem(value);
  };
  const parse: ParseField = (raw) => {
    if (raw === undefined || raw === null) return raw;
    if (nullable && (raw === '' || raw === 'null')) return null;
    return kind.parse(raw);
  };
  return applyDecorators(
    (target: object, name?: string | symbol) => rememberField(target, String(name), parse),
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value: unknown) => problem(value) === undefined,
        defaultMessage: (args?: ValidationArguments) => problem(args?.value) ?? 'is not valid',
      },
    }),
    ApiProperty({
      ...kind.schema,
      description,
      ...(example === undefined ? {} : { example }),
      required,
      ...(nullable ? { nullable } : {}),
    } as ApiPropertyOptions),
  ) as PropertyDecorator;
}

function rememberField(prototype: object, name: string, parse: ParseField): void {
  const inherited = Reflect.getMetadata(FIELDS, prototype) as ReadonlyMap<string, ParseField> | undefined;
  Reflect.defineMetadata(FIELDS, new Map([...(inherited ?? []), [name, parse]]), prototype);
}

/** The fields of a form or response class, by name; `undefined` for a class that declares none. */
export function fieldsOf(type: abstract new () => object): ReadonlyMap<string, ParseField> | undefined {
  return Reflect.getMetadata(FIELDS, type.prototype as object) as ReadonlyMap<string, ParseField> | undefined;
}
