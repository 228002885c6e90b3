import type { JsonObject, JsonValue } from '../json.ts';
import { isFieldPath } from '../mapping.ts';
import type { Parameter } from '../model.ts';
import { refused, type VendorField } from './proposal.ts';
import { isPlain, plainText } from './text.ts';

/** Maximum size of a vendor's schema as text. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum number of input fields, and of nodes of a workflow. */
export const MAX_FIELDS = 300;
/** Maximum nesting of references and variants. */
const MAX_DEPTH = 16;
/** Maximum schemas read for a proposal: references may multiply them. */
const MAX_STEPS = 20_000;
const MAX_CHOICES = 500;
const MAX_CHOICE_LENGTH = 200;
const MAX_DEFAULT_LENGTH = 2_000;
export const MAX_DESCRIPTION = 500;

/** A JSON object of unknown origin. Its fields are read by `fieldOf` only: it may have one named `__proto__`. */
export type Untrusted = Readonly<Record<string, unknown>>;

/**
 * Parses a vendor's schema, a workflow or ComfyUI's `/object_info`.
 *
 * @throws DomainError `validation_failed` on `target` when it has more than 8 MiB or is not JSON
 */
export function parseVendorJson(text: string): unknown {
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    throw refused(`has a schema of more than ${MAX_BYTES / 1024 / 1024} MiB`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refused('has a schema that is not JSON');
  }
}

export function isObject(value: unknown): value is Untrusted {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): Untrusted {
  return isObject(value) ? value : {};
}

/** The value at a path of own fields; `undefined` when there is none. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

const KEYWORDS = [
  ...['type', 'format', 'enum', 'const', 'default', 'title', 'description', 'items', 'properties', 'required'],
  ...['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
] as const;

export type Schema = { readonly [keyword in (typeof KEYWORDS)[number]]?: unknown };

/** Reads the schemas of one OpenAPI document. References may form cycles, and are followed at most 16 deep. */
export class SchemaReader {
  #steps = 0;

  constructor(private readonly document: unknown) {}

  /** The schema with its references, `allOf` and the best of its variants merged into it. */
  read(schema: unknown, depth = 0): Schema {
    if (++this.#steps > MAX_STEPS) throw refused('has a schema that is too complex');
    if (!isObject(schema) || depth > MAX_DEPTH) return {};
    const inner = (each: unknown) => this.read(each, depth + 1);
    const all = [this.#referenced(schema), ...listOf(fieldOf(schema, 'allOf'))].map(inner);
    const variants = [...listOf(fieldOf(schema, 'anyOf')), ...listOf(fieldOf(schema, 'oneOf'))].map(inner);
    const own = KEYWORDS.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => [
      keyword,
      schema[keyword],
    ]);
    return Object.assign({}, ...all, bestOf(variants), Object.fromEntries(own)) as Schema;
  }

  /** The properties of an object, at most 300, in the order of `order` (lowest first). */
  fields(schema: unknown, order: (name: string, property: Untrusted) => number): readonly VendorField[] {
    const { properties, required } = this.read(schema);
    const names = Object.keys(asObject(properties));
    if (names.length === 0) throw refused('has a schema without input fields');
    if (names.length > MAX_FIELDS) throw refused(`has ${names.length} input fields; at most ${MAX_FIELDS} can be read`);
    const needed = new Set(listOf(required));
    const places = new Map(names.map((name) => [name, order(name, asObject(fieldOf(properties, name)))]));
    return names
      .toSorted((one, other) => places.get(one)! - places.get(other)!)
      .map((name) => this.#field(name, fieldOf(properties, name), needed.has(name)));
  }

  #field(name: string, property: unknown, isRequired: boolean): VendorField {
    const schema = this.read(property);
    const items = typeOf(schema) === 'array' ? this.read(schema.items) : null;
    const declaration = declarationOf(schema, items);
    const atMost = isNumber(schema.maxItems) ? schema.maxItems : null;
    return {
      path: name,
      name,
      description: plainText(schema.description ?? schema.title, MAX_DESCRIPTION),
      // A vendor that has a default needs no value.
      isRequired: isRequired && schema.default === undefined,
      files: takesFiles(name, items ?? schema) ? (items ? { atMost } : 'one') : null,
      declaration: isPath(name) ? declaration : null,
      ...(isPath(name) ? {} : { role: 'name' }),
    };
  }

  #referenced(schema: Untrusted): unknown {
    const reference = fieldOf(schema, '$ref');
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
    return fieldOf(this.document, ...reference.slice(2, 1_000).split('/'));
  }
}

function isPath(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(name) && isFieldPath(name);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Best of the variants of a field: choices, else a scalar, else a list, else anything but null. */
function bestOf(variants: readonly Schema[]): Schema {
  const choices = variants.filter((each) => Array.isArray(each.enum));
  if (choices.length > 0) return { ...choices[0], enum: choices.flatMap((each) => listOf(each.enum)) };
  const isScalar = (each: Schema) => ['string', 'integer', 'number', 'boolean'].includes(typeOf(each) ?? '');
  return (
    variants.find(isScalar) ??
    variants.find((each) => typeOf(each) === 'array') ??
    variants.find((each) => typeOf(each) !== 'null') ??
    {}
  );
}

function typeOf({ type, enum: choices, const: only, properties }: Schema): string | undefined {
  const named: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  if (typeof named === 'string') return named;
  const example: unknown = listOf(choices)[0] ?? only;
  if (example !== undefined) return typeof example;
  return properties === undefined ? undefined : 'object';
}

/** Reports whether it takes a file's URL. fal marks few of them by format. */
function takesFiles(name: string, schema: Schema): boolean {
  if (typeOf(schema) !== 'string') return false;
  return schema.format === 'uri' || /_(url|uri)s?$/i.test(name);
}

/** The schema as a parameter of the catalogue; `null` for a structure. */
export function declarationOf(schema: Schema, items: Schema | null): Parameter | null {
  const description = plainText(schema.description ?? schema.title, MAX_DESCRIPTION);
  const type = typeOf(schema);
  const limits = limitsOf(type ?? '', schema, items);
  if (!limits) return null;
  const declared = { type, ...(description === null ? {} : { description }), ...limits } as Parameter;
  const byDefault = schema.default as JsonValue | undefined;
  return fits(declared, byDefault) ? { ...declared, default: byDefault } : declared;
}

/** The keywords that limit a value of the type; `null` for a type that is not declared. Patterns are dropped. */
function limitsOf(type: string, schema: Schema, items: Schema | null): Partial<Parameter> | null {
  switch (type) {
    case 'boolean':
      return {};
    case 'integer':
    case 'number':
    case 'string': {
      const offered = schema.const === undefined ? schema.enum : [schema.const];
      if (offered !== undefined) return choicesOf(type, listOf(offered));
      return type === 'string' ? lengthsOf(schema, 'minLength', 'maxLength') : rangeOf(schema);
    }
    case 'array': {
      const inner = items && typeOf(items) !== 'array' ? limitsOf(typeOf(items) ?? '', items, null) : null;
      if (!inner) return null;
      return { items: { type: typeOf(items!)!, ...inner } as JsonObject, ...lengthsOf(schema, 'minItems', 'maxItems') };
    }
    default:
      return null;
  }
}

function choicesOf(type: string, offered: readonly unknown[]): Partial<Parameter> | null {
  const choices = [...new Set(offered)].filter((each) =>
    type === 'string' ? typeof each === 'string' && isPlain(each, MAX_CHOICE_LENGTH) : isNumber(each),
  );
  return choices.length === 0 || offered.length > MAX_CHOICES ? null : { enum: choices as JsonValue[] };
}

function rangeOf({ minimum, maximum, multipleOf }: Schema): Partial<Parameter> {
  // JavaScript has no exact whole numbers beyond these.
  const isLimit = (value: unknown): value is number => isNumber(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  const isEmpty = isLimit(minimum) && isLimit(maximum) && minimum > maximum;
  return {
    ...(isLimit(minimum) && !isEmpty ? { minimum } : {}),
    ...(isLimit(maximum) && !isEmpty ? { maximum } : {}),
    // Steps such as 0.1 are no multiples of each other in binary fractions.
    ...(Number.isSafeInteger(multipleOf) && Number(multipleOf) > 0 ? { multipleOf: Number(multipleOf) } : {}),
  };
}

function lengthsOf(schema: Schema, ...keywords: readonly (keyof Schema)[]): Partial<Parameter> {
  const [least, most] = keywords.map((keyword) => schema[keyword]);
  const isEmpty = isNumber(least) && isNumber(most) && least > most;
  const given = keywords.filter((keyword) => Number.isSafeInteger(schema[keyword]) && Number(schema[keyword]) >= 0);
  return isEmpty ? {} : Object.fromEntries(given.map((keyword) => [keyword, schema[keyword] as number]));
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Reports whether the declaration allows the value. Lists are not compared: they have no default. */
export function fits({ type, enum: choices, ...limits }: Parameter, value: unknown): value is JsonValue {
  if (choices && !choices.includes(value as JsonValue)) return false;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'string') {
    if (typeof value !== 'string' || value.length > MAX_DEFAULT_LENGTH || !value.isWellFormed()) return false;
    if (value.includes('\0')) return false;
    const length = [...value].length;
    return length >= Number(limits['minLength'] ?? 0) && length <= (limits.maxLength ?? Infinity);
  }
  if (!isNumber(value) || (type === 'integer' && !Number.isSafeInteger(value))) return false;
  const { minimum = -Infinity, maximum = Infinity } = limits;
  const steps = value / Number(limits['multipleOf'] ?? value);
  return value >= minimum && value <= maximum && (value === 0 || Number.isInteger(steps));
}
