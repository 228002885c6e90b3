import type { MaskForm } from '#sources';
import type { JsonValue } from './json.ts';

/** The input pictures of models, as mappings name them. */
export const INPUT_NAMES = ['image', 'style', 'references', 'mask', 'control', 'pictures'] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/**
 * The names of the mask in mappings, by what marks the area to change: callers send masks that are white there, and vendors
 * differ.
 */
export const MASK_NAMES: Readonly<Record<string, MaskForm>> = {
  mask: 'white',
  inverted_mask: 'black',
  transparent_mask: 'transparent',
};

/** Further names in mappings: the trained style that is used, and the word that a style in training is called by. */
export const STYLE_NAMES = ['style_weights', 'style_trigger', 'trigger'] as const;

/**
 * Maps a call to the vendor's fields. Keys are paths with dots (`input.prompt`, `images.0`). In a value, at any depth:
 * - the text `{name}` alone is replaced by the value of that name, with its type. A field with an absent value is left
 *   out. In a list, an absent value is left out, and so is an object whose inputs are all absent; a list is inserted
 *   element by element;
 * - `{name}` within a text is replaced by the value as text, or by nothing;
 * - `{ from: name, values: { value: replacement } }` is replaced by the replacement of the value of that name;
 * - anything else is kept.
 *
 * Names are `prompt`, those of inputs and trained styles, and those of the model's parameters. `inverted_mask` and
 * `transparent_mask` are the mask in another form. A value that is `null` or
 * an empty list is absent, and so is a list whose elements are all absent.
 */
export type Mapping = Readonly<Record<string, JsonValue>>;

/** Inputs have the form that the vendor accepts: text, or any object, which is inserted unchanged. */
export type MappedValues = Readonly<Record<string, unknown>>;

const ONE_PLACEHOLDER = /^\{([A-Za-z_][\w-]*)\}$/;
const PLACEHOLDERS = /\{([A-Za-z_][\w-]*)\}/g;
const UNSAFE_PARTS: readonly string[] = ['__proto__', 'constructor', 'prototype'];
const INDEX = /^(0|[1-9][0-9]?)$/;

const ABSENT = undefined;
const INPUTS: readonly string[] = [...INPUT_NAMES, 'style_weights'];

/**
 * Builds the vendor's fields for a call. Values are never read as templates.
 *
 * @param base an object, such as a ComfyUI workflow, into a copy of which the fields are set
 * @throws Error when a path is invalid, or leads through a value that has no fields
 */
export function vendorFields(
  mapping: Mapping,
  values: MappedValues,
  base: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  let fields: unknown = structuredClone(base);
  let depth = 0;
  for (const [path, template] of Object.entries(mapping)) {
    if (!isFieldPath(path)) throw new Error(`the path ${path} of the mapping is invalid`);
    const parts = path.split('.');
    const value = expand(template, values);
    if (value !== ABSENT) fields = withField(fields, parts, value, path);
    depth = Math.max(depth, parts.length);
  }
  return withoutGaps(fields, depth) as Record<string, unknown>;
}

/** Reports whether a mapping may set a field at this path. */
export function isFieldPath(path: string): boolean {
  return path.split('.').every((part) => part !== '' && !UNSAFE_PARTS.includes(part));
}

/** The names that a mapping reads, each once; a mask in any form is `mask`. */
export function placeholdersOf(mapping: Mapping): readonly string[] {
  return [...new Set(Object.values(mapping).flatMap(namesIn).map(inputOf))];
}

/** The forms of the mask that a mapping reads. */
export function maskFormsOf(mapping: Mapping): readonly MaskForm[] {
  const names = new Set(Object.values(mapping).flatMap(namesIn));
  return Object.entries(MASK_NAMES).flatMap(([name, form]) => (names.has(name) ? [form] : []));
}

function inputOf(name: string): string {
  return Object.hasOwn(MASK_NAMES, name) ? 'mask' : name;
}

interface Choice {
  readonly from: string;
  readonly values: Readonly<Record<string, JsonValue>>;
}

function isChoice(template: object): template is Choice {
  const { from, values, ...others } = template as Record<string, unknown>;
  return typeof from === 'string' && isPlainObject(values) && Object.keys(others).length === 0;
}

function namesIn(template: JsonValue): string[] {
  if (typeof template === 'string') return [...template.matchAll(PLACEHOLDERS)].map(([, name]) => name!);
  if (template === null || typeof template !== 'object') return [];
  if (isChoice(template)) return [template.from, ...Object.values(template.values).flatMap(namesIn)];
  return Object.values(template as Record<string, JsonValue>).flatMap(namesIn);
}

function expand(template: JsonValue, values: MappedValues): unknown {
  if (typeof template === 'string') return expandText(template, values);
  if (template === null || typeof template !== 'object') return template;
  if (isList(template)) return expandList(template, values);
  if (isChoice(template)) return expandChoice(template, values);
  const fields = Object.entries(template).map(([name, each]) => [name, expand(each, values)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ABSENT));
}

function expandText(template: string, values: MappedValues): unknown {
  const name = ONE_PLACEHOLDER.exec(template)?.[1];
  if (name !== undefined) return valueOf(name, values);
  return template.replace(PLACEHOLDERS, (_, each: string) => textOf(valueOf(each, values)));
}

function expandList(template: readonly JsonValue[], values: MappedValues): unknown {
  const elements = template.flatMap((each) => {
    if (isWithoutItsInputs(each, values)) return [];
    const value = expand(each, values);
    // Only the list of a placeholder is inserted element by element.
    return value === ABSENT || typeof each === 'string' ? (value ?? []) : [value];
  });
  return elements.length === 0 && template.length > 0 ? ABSENT : elements;
}

/** Such as `{ path: '{style_weights}', scale: '{scale}' }` in a call without a style. */
function isWithoutItsInputs(template: JsonValue, values: MappedValues): boolean {
  if (!isPlainObject(template) || isChoice(template)) return false;
  const inputs = namesIn(template).filter((name) => INPUTS.includes(inputOf(name)));
  return inputs.length > 0 && inputs.every((name) => valueOf(name, values) === ABSENT);
}

function expandChoice({ from, values: replacements }: Choice, values: MappedValues): unknown {
  const value = valueOf(from, values);
  if (value === ABSENT || typeof value === 'object') return ABSENT;
  const chosen = String(value);
  return Object.hasOwn(replacements, chosen) ? expand(replacements[chosen]!, values) : ABSENT;
}

function valueOf(template: string, values: MappedValues): unknown {
  const name = inputOf(template);
  const value = Object.hasOwn(values, name) ? values[name] : null;
  return value === null || (isList(value) && value.length === 0) ? ABSENT : value;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isList(value) || isPlainObject(value) ? JSON.stringify(value) : '';
}

/** A copy with the field at the path set. Missing containers are created. */
function withField(fields: unknown, [part, ...rest]: readonly string[], value: unknown, path: string): unknown {
  if (part === undefined) return value;
  const container = fields ?? (INDEX.test(part) ? [] : {});
  if (isList(container)) {
    if (!INDEX.test(part)) throw new Error(`the path ${path} of the mapping needs a number in place of ${part}`);
    const elements: unknown[] = [...container];
    elements[Number(part)] = withField(elements[Number(part)], rest, value, path);
    return elements;
  }
  if (!isPlainObject(container)) throw new Error(`the path ${path} of the mapping leads through a value`);
  const inner = Object.hasOwn(container, part) ? container[part] : undefined;
  return { ...container, [part]: withField(inner, rest, value, path) };
}

/** Removes gaps in lists, down to `depth`: the values themselves have none. */
function withoutGaps(fields: unknown, depth: number): unknown {
  if (depth === 0) return fields;
  if (isList(fields)) return fields.filter((each) => each !== ABSENT).map((each) => withoutGaps(each, depth - 1));
  if (!isPlainObject(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, withoutGaps(each, depth - 1)]));
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || isList(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
