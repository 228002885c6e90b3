import type { JsonValue } from '#catalogue';
import { filledLength, isVariableName, MAX_VARIABLE_LENGTH, MAX_VARIABLES, variablesOf } from '#generation';
import { invalidField } from '#kernel';

/** Maximum cells of a batch. */
export const MAX_CELLS = 1_000;
/** The greatest first seed of `seeds_count`: a model whose seeds end before a million may refuse cells of such a batch. */
export const MAX_FIRST_SEED = 1_000_000 - MAX_CELLS;
/**
 * Maximum length of a prompt with the values of its variables, in UTF-16 units: 10,000 characters of a call have no
 * more.
 */
const MAX_PROMPT_UNITS = 20_000;
const MAX_NAMES = 50;
const MAX_NAME_UNITS = 200;

/** A trained style by its id, or a value of `style_transfer`. */
export type StyleChoice = number | string;

/** Lists of values: a batch has a cell for each combination. An empty list is left out of the calls. */
export interface Matrix {
  readonly models: readonly string[];
  /** May hold `{variables}`. */
  readonly prompts: readonly string[];
  readonly variables: Readonly<Record<string, readonly string[]>>;
  readonly personas: readonly number[];
  readonly styles: readonly StyleChoice[];
  /** Values of further fields of the call, by name. */
  readonly parameters: Readonly<Record<string, readonly JsonValue[]>>;
  readonly seeds: readonly number[];
}

/** Fields of a call that a matrix sets by a list of its own, or that a cell can't have. */
const NO_PARAMETERS = [
  'model',
  'prompt',
  'pid',
  'style_transfer',
  'style_id',
  'variables',
  'webhook',
  'dry_run',
  'processing_url',
];

/**
 * Reads a matrix from a request.
 *
 * @param firstSeed the first of `seeds_count` seeds; each next seed is one more
 * @throws DomainError `validation_failed`; also for a matrix with more than `MAX_CELLS` cells, which are counted before any
 * is made
 */
export function readMatrix(given: unknown, firstSeed: number): Matrix {
  const fields = recordOf('matrix', given);
  const models = textsOf('models', fields['models']);
  if (models.length === 0) throw invalidField('matrix.models', 'is required');
  const matrix: Matrix = {
    models,
    prompts: textsOf('prompts', fields['prompts']),
    variables: listsOf('variables', fields['variables'], (name, values) => {
      if (!isVariableName(name)) throw invalidField('matrix.variables', 'must have names of letters, digits and _');
      return values.map(variableValue);
    }),
    personas: listOf('personas', fields['personas']).map((value) => idOf('personas', value)),
    styles: listOf('styles', fields['styles']).map((value) =>
      typeof value === 'number' ? idOf('styles', value) : textOf('styles', value),
    ),
    parameters: listsOf('parameters', fields['parameters'], (name, values) => {
      if (NO_PARAMETERS.includes(name)) throw invalidField('matrix.parameters', `must not have ${name}`);
      return values as readonly JsonValue[];
    }),
    seeds: seedsOf(fields, firstSeed),
  };
  if (matrix.seeds.length > 0 && Object.hasOwn(matrix.parameters, 'seed')) {
    throw invalidField('matrix.parameters', 'must not have seed beside seeds');
  }
  requireVariables(matrix);
  requireFewCells(countOf(matrix), 'matrix');
  return matrix;
}

/** The number of cells of a matrix, without making them. */
export function countOf({ models, prompts, variables, personas, styles, parameters, seeds }: Matrix): number {
  const expanded = prompts.map((prompt) => productOf(variablesOf(prompt).map((name) => variables[name]!.length)));
  const lists = [models, personas, styles, seeds, ...Object.values(parameters)].map(({ length }) => length);
  return productOf([...lists, expanded.reduce((sum, count) => sum + count, 0)]);
}

/** @throws DomainError `validation_failed` */
export function requireFewCells(count: number, field: 'matrix' | 'rows'): void {
  if (count > MAX_CELLS) throw invalidField(field, `must have at most ${MAX_CELLS} cells: this has ${count}`);
}

/** Every variable of a prompt has values, every variable is used, and no prompt gets too long. */
function requireVariables({ prompts, variables }: Matrix): void {
  const used = new Set(prompts.flatMap(variablesOf));
  const missing = [...used].find((name) => !Object.hasOwn(variables, name));
  if (missing !== undefined) throw invalidField('matrix.variables', `must have ${missing}, which a prompt uses`);
  if (Object.keys(variables).length > MAX_VARIABLES) {
    throw invalidField('matrix.variables', `must have at most ${MAX_VARIABLES} names`);
  }
  const unused = Object.keys(variables).find((name) => !used.has(name));
  if (unused !== undefined) throw invalidField('matrix.variables', `must not have ${unused}, which no prompt uses`);
  const longest = new Map(
    Object.entries(variables).map(([name, values]) => [name, Math.max(...values.map(({ length }) => length))]),
  );
  for (const prompt of prompts) {
    if (filledLength(prompt, (name) => longest.get(name)!) > MAX_PROMPT_UNITS) {
      throw invalidField('matrix.prompts', 'must have at most 10000 characters with the values of their variables');
    }
  }
}

function variableValue(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.length <= MAX_VARIABLE_LENGTH) return text;
  throw invalidField('matrix.variables', `must have texts of at most ${MAX_VARIABLE_LENGTH} characters as values`);
}

function seedsOf({ seeds, seeds_count: count }: Readonly<Record<string, unknown>>, firstSeed: number): number[] {
  const given = listOf('seeds', seeds).map((seed) => {
    if (Number.isSafeInteger(seed)) return seed as number;
    throw invalidField('matrix.seeds', 'must be a list of integers');
  });
  if (count === undefined || count === null) return given;
  if (given.length > 0) throw invalidField('matrix.seeds_count', 'must not be given beside seeds');
  if (!Number.isSafeInteger(count) || (count as number) < 1 || (count as number) > MAX_CELLS) {
    throw invalidField('matrix.seeds_count', `must be an integer from 1 to ${MAX_CELLS}`);
  }
  return Array.from({ length: count as number }, (_, index) => firstSeed + index);
}

/** An empty list leaves its field out of the calls: it counts as one value. */
function productOf(lengths: readonly number[]): number {
  return lengths.reduce((product, length) => product * Math.max(length, 1), 1);
}

function recordOf(field: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidField(field, 'must be an object');
}

function listOf(name: string, value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.length >= 1 && value.length <= MAX_CELLS) return value;
  throw invalidField(`matrix.${name}`, `must be a list of 1 to ${MAX_CELLS} values`);
}

function textsOf(name: string, value: unknown): readonly string[] {
  return listOf(name, value).map((each) => textOf(name, each));
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_PROMPT_UNITS) return value;
  throw invalidField(`matrix.${name}`, 'must be texts of 1 to 10000 characters');
}

function idOf(name: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw invalidField(`matrix.${name}`, 'must have positive integers as ids');
}

/** Lists by name. A value that is no list is a list of one. */
function listsOf<T>(
  field: 'variables' | 'parameters',
  given: unknown,
  read: (name: string, values: readonly unknown[]) => readonly T[],
): Readonly<Record<string, readonly T[]>> {
  if (given === undefined || given === null) return {};
  const entries = Object.entries(recordOf(`matrix.${field}`, given));
  if (entries.length > MAX_NAMES) throw invalidField(`matrix.${field}`, `must have at most ${MAX_NAMES} names`);
  const tooLong = entries.some(([name]) => name === '' || name.length > MAX_NAME_UNITS);
  if (tooLong) throw invalidField(`matrix.${field}`, `must have names of 1 to ${MAX_NAME_UNITS} characters`);
  return Object.fromEntries(
    entries.map(([name, values]) => [name, read(name, listOf(field, Array.isArray(values) ? values : [values]))]),
  );
}
