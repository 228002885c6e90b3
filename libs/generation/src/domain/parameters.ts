import { DomainError } from '#kernel';
import type { JsonValue } from './json.ts';
import { placeholdersOf } from './mapping.ts';
import type { Cost, Model, Parameter } from './model.ts';

const TRUE: readonly unknown[] = [true, 'true', '1', 1];
const FALSE: readonly unknown[] = [false, 'false', '0', 0];

/** The longest text of a parameter without a `maxLength`, in UTF-16 units. */
const MAX_TEXT_UNITS = 65_536;
/** The largest object or list as JSON text, and how deep it may be nested. */
const MAX_JSON_BYTES = 65_536;
const MAX_DEPTH = 32;

export type ParameterValues = Readonly<Record<string, JsonValue>>;

/** What is wrong with parameters, by name; each message follows the name. */
export type ParameterProblems = Readonly<Record<string, readonly string[]>>;

/**
 * Reads the parameters of a model from the fields of a request, which are text or JSON values. An absent, empty or null
 * field gets its default or is left out; fields that the model does not declare are ignored.
 *
 * @param problemsOf checks what was read by the model's JSON Schemas
 * @throws DomainError `validation_failed` with every invalid field
 */
export function parameterValues(
  model: Model,
  fields: Readonly<Record<string, unknown>>,
  problemsOf: (values: ParameterValues) => ParameterProblems,
): ParameterValues {
  const values: Record<string, JsonValue> = {};
  const unreadable: Record<string, readonly string[]> = {};
  for (const [name, parameter] of Object.entries(model.parameters)) {
    const sent = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const value = isAbsent(sent) ? parameter.default : readValue(parameter, sent);
    if (value !== undefined) values[name] = value;
    else if (!isAbsent(sent)) unreadable[name] = [`must be ${expectationOf(limited(parameter, sent))}`];
  }
  const problems = { ...problemsOf(values), ...unreadable };
  const names = Object.keys(model.parameters).filter((name) => Object.hasOwn(problems, name));
  if (names.length === 0) return values;
  const sentences = names.map((name) => `${name} ${problems[name]!.join(' and ')}`);
  const ordered = Object.fromEntries(names.map((name) => [name, problems[name]!]));
  throw new DomainError('validation_failed', sentences.join('; '), { fields: ordered });
}

/** The parameter that the amount of a cost is multiplied by. */
export function countedBy({ per }: Pick<Cost, 'per'>): 'count' | 'duration' {
  return per === 'output' ? 'count' : 'duration';
}

/**
 * The cost of a call in credits: a fraction of a credit counts as one, and only what has no amount is free. A value that
 * no amount is declared for costs as much as the dearest.
 */
export function costOf({ cost }: Pick<Model, 'cost'>, values: ParameterValues): number {
  const amount = amountOf(cost, values);
  if (amount <= 0) return 0;
  const times = values[countedBy(cost)];
  const exact = amount * (typeof times === 'number' ? times : 1);
  // Without what binary fractions add: 0.07 × 100 costs 7.
  return Math.max(1, Math.ceil(Number(exact.toFixed(6))));
}

/** How many outputs a call asks for; `null` where the model does not charge by their number. */
export function outputsAsked({ cost }: Pick<Model, 'cost'>, values: ParameterValues): number | null {
  const count = values['count'];
  return cost.per === 'output' && typeof count === 'number' && count >= 1 ? count : null;
}

/**
 * What is charged when `made` outputs came of a call: what so many cost, and never more than what was reserved. Where the
 * price has changed since, the same share of what was reserved.
 *
 * @param call.cost what was reserved
 */
export function chargeOf(
  model: Pick<Model, 'cost'>,
  { cost, parameters }: { readonly cost: number; readonly parameters: ParameterValues },
  made: number,
): number {
  const asked = outputsAsked(model, parameters);
  if (asked === null || made >= asked) return cost;
  if (costOf(model, parameters) !== cost) return Math.ceil((cost * made) / asked);
  return Math.min(cost, costOf(model, { ...parameters, count: made }));
}

function amountOf({ credits, parameter }: Cost, values: ParameterValues): number {
  if (typeof credits === 'number') return credits;
  return credits[String(values[parameter!])] ?? Math.max(...Object.values(credits));
}

/** Whether every number that the parameter takes is above zero. */
export function isAboveZero({ minimum, enum: choices }: Parameter): boolean {
  return (minimum ?? 0) > 0 || (choices?.every((choice) => typeof choice === 'number' && choice > 0) ?? false);
}

function isAbsent(sent: unknown): boolean {
  return sent === undefined || sent === null || sent === '' || sent === 'null';
}

/** The value in the declared type; `undefined` when it has another. */
function readValue(parameter: Parameter, sent: unknown): JsonValue | undefined {
  if (typeof sent === 'string' && sent.length > maxUnits(parameter)) return undefined;
  switch (parameter.type) {
    case 'integer': {
      const value = readNumber(sent, /^-?[0-9]+$/);
      return Number.isSafeInteger(value) ? value : undefined;
    }
    case 'number':
      return readNumber(sent, /^-?[0-9]+(\.[0-9]+)?$/);
    case 'string':
      return typeof sent === 'string' ? sent : choiceOf(parameter, sent);
    case 'boolean':
      if (TRUE.includes(sent)) return true;
      return FALSE.includes(sent) ? false : undefined;
    case 'object':
    case 'array':
      return readJson(sent);
  }
}

/** A text is refused by its length alone before anything walks it. A character has up to two units. */
function maxUnits({ maxLength }: Parameter): number {
  return maxLength === undefined ? MAX_TEXT_UNITS : maxLength * 2;
}

/** The declaration with the limit that a text has in any case. */
function limited(parameter: Parameter, sent: unknown): Parameter {
  return typeof sent === 'string' ? { maxLength: MAX_TEXT_UNITS, ...parameter } : parameter;
}

/** Callers of JSON send a choice such as '2' or 'true' as a number or as true. */
function choiceOf({ enum: choices }: Parameter, sent: unknown): string | undefined {
  const text = typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : undefined;
  return text !== undefined && choices?.includes(text) ? text : undefined;
}

function readNumber(sent: unknown, pattern: RegExp): number | undefined {
  const value = typeof sent === 'string' && pattern.test(sent) ? Number(sent) : sent;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readJson(sent: unknown): JsonValue | undefined {
  try {
    const value = (typeof sent === 'string' ? JSON.parse(sent) : sent) as JsonValue;
    return isBounded(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isBounded(value: JsonValue): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).length <= MAX_JSON_BYTES && isStorable(value, 0);
}

/** PostgreSQL stores neither NUL nor a surrogate without its other half. */
function isStorable(value: JsonValue, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  return Object.entries(value).every(([name, each]) => isStorable(name, depth) && isStorable(each, depth + 1));
}

/** What a parameter must be, as its declaration says: `an integer from 1 to 4`. */
export function expectationOf(parameter: Parameter): string {
  const { type, pattern, format, multipleOf } = parameter;
  if (parameter.enum) return `one of ${parameter.enum.map(textOf).join(', ')}`;
  const further = [
    ...(multipleOf === undefined ? [] : [` in steps of ${textOf(multipleOf)}`]),
    ...(format === undefined ? [] : [` in the format ${textOf(format)}`]),
    ...(pattern === undefined ? [] : [` that matches ${textOf(pattern)}`]),
  ].join('');
  switch (type) {
    case 'integer':
      return `an integer${rangeOf(parameter)}${further}`;
    case 'number':
      return `a number${rangeOf(parameter)}${further}`;
    case 'string':
      return `a text${lengthOf(parameter)}${further}`;
    case 'boolean':
      return 'true or false';
    case 'object':
      return `an object as JSON, ${JSON_LIMITS}`;
    case 'array':
      return `a list as JSON, ${JSON_LIMITS}`;
  }
}

const JSON_LIMITS = `of at most ${MAX_JSON_BYTES / 1024} KiB`;

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function rangeOf({ minimum, maximum }: Parameter): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function lengthOf({ minLength, maxLength }: Parameter): string {
  if (minLength === undefined) return maxLength === undefined ? '' : ` of at most ${maxLength} characters`;
  if (maxLength === undefined) return ` of at least ${textOf(minLength)} characters`;
  return ` of ${textOf(minLength)} to ${maxLength} characters`;
}

/** JSON Schema (2020-12) of an object. */
export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Model['parameters'];
}

type Declared = Pick<Model, 'parameters' | 'mapping' | 'cost'>;

/**
 * The parameters of a model as JSON Schema; declarations use its keywords already. A parameter without effect is marked
 * `deprecated`: forms leave it out.
 */
export function parametersSchema(model: Declared): ParametersSchema {
  const declared = Object.entries(model.parameters).map(([name, parameter]) => [
    name,
    hasEffect(name, model) ? parameter : { ...parameter, deprecated: true },
  ]);
  return { type: 'object', properties: Object.fromEntries(declared) };
}

/** Whether a parameter changes what is made or what it costs. Local models read their parameters without a mapping. */
function hasEffect(name: string, { mapping, cost }: Declared): boolean {
  if (Object.keys(mapping).length === 0) return true;
  return [...placeholdersOf(mapping), cost.parameter, countedBy(cost)].includes(name);
}
