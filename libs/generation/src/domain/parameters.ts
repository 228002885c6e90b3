import { DomainError } from '#kernel';
import type { JsonValue } from './json.ts';
import type { Model, Parameter } from './model.ts';

const TRUE: readonly unknown[] = [true, 'true', '1', 1];
const FALSE: readonly unknown[] = [false, 'false', '0', 0];

export type ParameterValues = Readonly<Record<string, JsonValue>>;

/**
 * Reads the parameters of a model from the fields of a request, which are text or JSON values. An absent, empty or null
 * field gets its default or is left out; fields that the model does not declare are ignored.
 *
 * @throws DomainError `validation_failed` with every invalid field
 */
export function parameterValues(model: Model, fields: Readonly<Record<string, unknown>>): ParameterValues {
  const values: Record<string, JsonValue> = {};
  const problems: Record<string, string[]> = {};
  for (const [name, parameter] of Object.entries(model.parameters)) {
    const sent = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (sent === undefined || sent === null || sent === '' || sent === 'null') {
      if (parameter.default !== undefined) values[name] = parameter.default;
      continue;
    }
    const value = valueOf(parameter, sent);
    if (value === undefined) problems[name] = [`must be ${expectationOf(parameter)}`];
    else values[name] = value;
  }
  const sentences = Object.entries(problems).map(([name, [problem]]) => `${name} ${problem}`);
  if (sentences.length > 0) {
    throw new DomainError('validation_failed', sentences.join('; '), { fields: problems });
  }
  return values;
}

/** The cost of a call in credits. */
export function costOf(model: Model, values: ParameterValues): number {
  const { credits, parameter, per } = model.cost;
  const amount = typeof credits === 'number' ? credits : credits[String(values[parameter!])]!;
  const times = values[per === 'output' ? 'count' : 'duration'];
  return Math.ceil(amount * (typeof times === 'number' ? times : 1));
}

function valueOf(parameter: Parameter, sent: unknown): JsonValue | undefined {
  switch (parameter.type) {
    case 'integer':
    case 'number': {
      const value = numberOf(sent, parameter.type === 'integer' ? /^-?[0-9]+$/ : /^-?[0-9]+(\.[0-9]+)?$/);
      if (value === undefined || value < parameter.minimum! || value > parameter.maximum!) return undefined;
      return parameter.type === 'integer' && !Number.isSafeInteger(value) ? undefined : value;
    }
    case 'string':
      if (typeof sent !== 'string' || [...sent].length > parameter.maxLength!) return undefined;
      return parameter.enum && !parameter.enum.includes(sent) ? undefined : sent;
    case 'boolean':
      if (TRUE.includes(sent)) return true;
      return FALSE.includes(sent) ? false : undefined;
    case 'object':
    case 'array':
      return undefined;
  }
}

function numberOf(sent: unknown, pattern: RegExp): number | undefined {
  if (typeof sent === 'number') return Number.isFinite(sent) ? sent : undefined;
  return typeof sent === 'string' && pattern.test(sent) ? Number(sent) : undefined;
}

function expectationOf(parameter: Parameter): string {
  switch (parameter.type) {
    case 'integer':
      return `an integer from ${parameter.minimum} to ${parameter.maximum}`;
    case 'number':
      return `a number from ${parameter.minimum} to ${parameter.maximum}`;
    case 'string':
      return parameter.enum
        ? `one of ${parameter.enum.join(', ')}`
        : `a text of at most ${parameter.maxLength} characters`;
    case 'boolean':
      return 'true or false';
    case 'object':
    case 'array':
      return `a value of the type ${parameter.type}`;
  }
}

/** JSON Schema (2020-12) of an object. */
export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Model['parameters'];
}

/** The parameters of a model as JSON Schema; declarations use its keywords already. */
export function parametersSchema({ parameters }: Pick<Model, 'parameters'>): ParametersSchema {
  return { type: 'object', properties: parameters };
}
