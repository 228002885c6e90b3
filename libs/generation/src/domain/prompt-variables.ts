import { DomainError, invalidField } from '#kernel';

/** A variable in a prompt, such as `{animal}`. A name in double braces is text: `{{animal}}` becomes `{animal}`. */
const VARIABLE = /\{\{([\p{L}_][\p{L}\p{M}\p{N}_]{0,63})\}\}|\{([\p{L}_][\p{L}\p{M}\p{N}_]{0,63})\}/gu;
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_]{0,63}$/u;

export const MAX_VARIABLES = 32;
/** Length of a value in UTF-16 units. */
export const MAX_VARIABLE_LENGTH = 2_000;

export type VariableValues = Readonly<Record<string, string>>;

export interface FilledPrompt {
  readonly prompt: string;
  /** The variables of the prompt that have no value, in their order. The prompt still has them. */
  readonly missing: readonly string[];
  /** The names of values that the prompt has no variable for, in their order. */
  readonly unknown: readonly string[];
}

/** Reports whether a variable may have this name: letters, digits and `_`, at most 64, the first no digit. */
export function isVariableName(name: string): boolean {
  return NAME.test(name);
}

/** The names of the variables in a prompt, each once, in their order. */
export function variablesOf(prompt: string): readonly string[] {
  const names = [...prompt.matchAll(VARIABLE)].flatMap(([, , name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)];
}

/**
 * Replaces the variables of a prompt by their values, each once: a `{name}` in a value is text. Braces around anything
 * but a name stay as they are, so that a prompt may contain JSON.
 *
 * @param prompt limited in length by the caller, as are the values
 */
export function fillVariables(prompt: string, values: VariableValues): FilledPrompt {
  const names = variablesOf(prompt);
  const filled = prompt.replace(VARIABLE, (found, escaped: string | undefined, name: string) => {
    if (escaped !== undefined) return `{${escaped}}`;
    return Object.hasOwn(values, name) ? values[name]! : found;
  });
  return {
    prompt: filled,
    missing: names.filter((name) => !Object.hasOwn(values, name)),
    unknown: Object.keys(values).filter((name) => !names.includes(name)),
  };
}

/** Characters of a prompt, also of a filled one. */
export const MAX_PROMPT_LENGTH = 10_000;

/**
 * The prompt of a call with its variables.
 *
 * @param variables as the caller sends them
 * @throws DomainError `validation_failed` that names each variable without a value, and each value that is malformed or
 * that the prompt has no variable for
 */
export function filledPrompt(prompt: string | null, variables: Readonly<Record<string, unknown>>): string | null {
  const values = checkedValues(variables);
  const filled = fillVariables(prompt ?? '', values);
  const problems = [
    ...filled.missing.map((name) => [name, `is required: the prompt has {${name}}`] as const),
    ...filled.unknown.map((name) => [name, 'must be absent: it is no variable of the prompt'] as const),
  ];
  if (problems.length > 0) throw invalidVariables(problems);
  const isLong = filled.prompt.length > MAX_PROMPT_LENGTH * 2 || [...filled.prompt].length > MAX_PROMPT_LENGTH;
  if (isLong) throw invalidField('prompt', `must have at most ${MAX_PROMPT_LENGTH} characters with its variables`);
  return prompt === null ? null : filled.prompt;
}

function checkedValues(variables: Readonly<Record<string, unknown>>): VariableValues {
  const entries = Object.entries(variables);
  if (entries.length > MAX_VARIABLES) throw invalidField('variables', `must be at most ${MAX_VARIABLES}`);
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value.length <= MAX_VARIABLE_LENGTH && value.isWellFormed() && !value.includes('\0');
  const wrong = entries.filter(([, value]) => !isText(value));
  if (wrong.length === 0) return variables as VariableValues;
  throw invalidVariables(wrong.map(([name]) => [name, `must be a text of at most ${MAX_VARIABLE_LENGTH} characters`]));
}

function invalidVariables(problems: readonly (readonly [name: string, problem: string])[]): DomainError {
  // Names are the caller's, of any length.
  const fields = problems.map(([name, problem]) => [`variables.${name.slice(0, 64)}`, problem] as const);
  const message = fields.map(([name, problem]) => `${name} ${problem}`).join('; ');
  return new DomainError('validation_failed', message, {
    fields: Object.fromEntries(fields.map(([name, problem]) => [name, [problem]])),
  });
}

/** The length of the prompt that `fillVariables` makes of values of these lengths, in UTF-16 units. */
export function filledLength(prompt: string, lengthOf: (name: string) => number): number {
  const changes = [...prompt.matchAll(VARIABLE)].map(([whole, text, name]) => {
    return (name === undefined ? text!.length + 2 : lengthOf(name)) - whole.length;
  });
  return changes.reduce((sum, change) => sum + change, prompt.length);
}
