import { DomainError } from '#kernel';
import type { JsonValue } from './json.ts';
import { placeholdersOf } from './mapping.ts';
import type { Cost, Model, Parameter } from './model.ts';

const TRUE: readonly unknown[] = [true, 'true', '1', 1];
const FALSE: readonly unknown[] = [false, 'false', '0', 0];

/** Maximum text of a parameter without a `maxLength`, in UTF-16 units. */
const MAX_TEXT_UNITS = 65_536;
/** Maximum size and depth of an object or list as JSON text. */
const MAX_JSON_BYTES = 65_536;
const MAX_DEPTH = 32;

export type ParameterValues = Readonly<Record<string, JsonValue>>;

/** Problems of parameters, by name. Each message follows the name. */
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

/** The parameter that multiplies the amount of a cost. */
export function countedBy({ per }: Pick<Cost, 'per'>): 'count' | 'duration' {
  return per === 'output' ? 'count' : 'duration';
}

/**
 * The cost of a call in credits, rounded up. Only an amount of 0 is free. A value without a declared amount costs as much
 * as the most expensive value.
 */
export function costOf({ cost }: Pick<Model, 'cost'>, values: ParameterValues): number {
  const amount = amountOf(cost, values);
  if (amount <= 0) return 0;
  const times = values[countedBy(cost)];
  const exact = amount * (typeof times === 'number' ? times : 1);
  // Removes rounding errors of binary fractions: 0.07 × 100 costs 7.
  return Math.max(1, Math.ceil(Number(exact.toFixed(6))));
}

/** A cost as operators read it, without its unit. */
export function costText({ credits, parameter, per }: Model['cost']): string {
  const unit = per === 'second' ? ' per second' : '';
  if (typeof credits === 'number') return `${credits}${unit}`;
  const amounts = Object.entries(credits).map(([value, amount]) => `${value}: ${amount}`);
  return `${amounts.join(', ')} by ${parameter}${unit}`;
}

/** The number of outputs that a call requests; `null` when the model does not charge per output. */
export function outputsAsked({ cost }: Pick<Model, 'cost'>, values: ParameterValues): number | null {
  const count = values['count'];
  return cost.per === 'output' && typeof count === 'number' && count >= 1 ? count : null;
}

/**
 * The charge for `made` outputs of a call: the cost of that number of outputs, never more than the reserved credits. When
 * the price has changed since, the corresponding share of the reserved credits.
 *
 * @param call.cost the reserved credits
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

/** Reports whether the parameter accepts only numbers above zero. */
export function isAboveZero({ minimum, enum: choices }: Parameter): boolean {
  return (minimum ?? 0) > 0 || (choices?.every((choice) => typeof choice === 'number' && choice > 0) ?? false);
}

/** Reports whether a field of a request counts as left out. */
export function isAbsent(sent: unknown): boolean {
  return sent === undefined || sent === null || sent === '' || sent === 'null';
}

/** Converts the value to the declared type; `undefined` when that fails. */
export function readValue(parameter: Parameter, sent: unknown): JsonValue | undefined {
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

/** Rejects a long text before anything parses it. A character has up to two units. */
function maxUnits({ maxLength }: Parameter): number {
  return maxLength === undefined ? MAX_TEXT_UNITS : maxLength * 2;
}

/** The declaration with the default limit of texts. */
function limited(parameter: Parameter, sent: unknown): Parameter {
  return typeof sent === 'string' ? { maxLength: MAX_TEXT_UNITS, ...parameter } : parameter;
}

/** In JSON, callers may send a choice such as '2' or 'true' as a number or a boolean. */
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

/** PostgreSQL stores neither NUL nor unpaired surrogates. */
function isStorable(value: JsonValue, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  return Object.entries(value).every(([name, each]) => isStorable(name, depth) && isStorable(each, depth + 1));
}

/** Describes the valid values of a parameter: `an integer from 1 to 4`. */
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
 * The parameters of a model as JSON Schema. A parameter without effect is marked `deprecated`, and forms omit it.
 */
export function parametersSchema(model: Declared): ParametersSchema {
  const declared = Object.entries(model.parameters).map(([name, parameter]) => [
    name,
    hasEffect(name, model) ? parameter : { ...parameter, deprecated: true },
  ]);
  return { type: 'object', properties: Object.fromEntries(declared) };
}

/**
 * Reports whether a parameter changes the outputs or their cost. Local models read their parameters without a mapping.
 */
function hasEffect(name: string, { mapping, cost }: Declared): boolean {
  if (Object.keys(mapping).length === 0) return true;
  return [...placeholdersOf(mapping), cost.parameter, countedBy(cost)].includes(name);
}
