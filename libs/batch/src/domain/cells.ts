import type { JsonValue } from '#catalogue';
import { fillVariables, variablesOf } from '#generation';
import { invalidField } from '#kernel';
import { requireFewCells, type Matrix } from './matrix.ts';

/** The fields of a call of generate. */
export type CellFields = Readonly<Record<string, JsonValue>>;

/** One call of a batch. */
export interface Cell {
  /** From 1: its row, or its place in the order of the matrix. */
  readonly cell: number;
  /** For each axis the index of its value, from 0; `null` for a variable that its prompt does not use. Empty for a row. */
  readonly place: readonly (number | null)[];
  readonly fields: CellFields;
}

/** Content that the cells of a batch are made of. */
export type BatchContent = { readonly rows: readonly CellFields[] } | { readonly matrix: Matrix };

/** A list of a matrix, as the rows and columns of a table are named. */
export interface Axis {
  /** The field of the call, or a variable in its braces. */
  readonly name: string;
  readonly values: readonly JsonValue[];
}

interface Choice {
  readonly place: readonly (number | null)[];
  readonly fields: readonly (readonly [string, JsonValue])[];
}

const NOT_IN_ROWS = ['dry_run', 'processing_url'];

/** @throws DomainError `validation_failed` */
export function readRows(given: unknown): readonly CellFields[] {
  if (!Array.isArray(given) || given.length === 0) throw invalidField('rows', 'must be a list of calls');
  requireFewCells(given.length, 'rows');
  return given.map((row: unknown, index) => {
    const field = `rows[${index}]`;
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw invalidField(field, 'must be an object');
    const refused = NOT_IN_ROWS.find((name) => Object.hasOwn(row, name));
    if (refused !== undefined) throw invalidField(field, `must not have ${refused}`);
    return row as CellFields;
  });
}

/** The cells of a batch, in their order: of a matrix the first list changes slowest, the seed fastest. */
export function cellsOf(content: BatchContent): readonly Cell[] {
  if ('rows' in content) return content.rows.map((fields, index) => ({ cell: index + 1, place: [], fields }));
  return combinations(choicesOf(content.matrix)).map((choices, index) => ({
    cell: index + 1,
    place: choices.flatMap(({ place }) => place),
    fields: Object.fromEntries(choices.flatMap(({ fields }) => fields)),
  }));
}

/** The axes of a matrix, in the order of places. */
export function axesOf({ models, prompts, variables, personas, styles, parameters, seeds }: Matrix): readonly Axis[] {
  const axes: Axis[] = [
    { name: 'model', values: models },
    { name: 'prompt', values: prompts },
    ...Object.entries(variables).map(([name, values]) => ({ name: `{${name}}`, values })),
    { name: 'pid', values: personas },
    { name: 'style', values: styles },
    ...Object.entries(parameters).map(([name, values]) => ({ name, values })),
    { name: 'seed', values: seeds },
  ];
  return axes.filter(({ values }) => values.length > 0);
}

/** The choices of each list of a matrix, with the prompts and their variables as one list. */
function choicesOf(matrix: Matrix): readonly (readonly Choice[])[] {
  const one = (name: string, values: readonly JsonValue[]): Choice[] =>
    values.map((value, index) => ({ place: [index], fields: [[name, value]] }));
  const styles = matrix.styles.map((style, index): Choice => {
    return { place: [index], fields: [[typeof style === 'number' ? 'style_id' : 'style_transfer', style]] };
  });
  const lists = [
    one('model', matrix.models),
    promptChoices(matrix),
    one('pid', matrix.personas),
    styles,
    ...Object.entries(matrix.parameters).map(([name, values]) => one(name, values)),
    one('seed', matrix.seeds),
  ];
  return lists.filter(({ length }) => length > 0);
}

/** Each prompt with each combination of the variables that it uses. */
function promptChoices({ prompts, variables }: Matrix): readonly Choice[] {
  const names = Object.keys(variables);
  return prompts.flatMap((prompt, index) => {
    const used = variablesOf(prompt);
    const ordered = names.filter((name) => used.includes(name));
    return combinations(ordered.map((name) => [...variables[name]!.keys()])).map((chosen): Choice => {
      const indexOf = new Map(ordered.map((name, at) => [name, chosen[at]!]));
      const values = Object.fromEntries([...indexOf].map(([name, at]) => [name, variables[name]![at]!]));
      return {
        place: [index, ...names.map((name) => indexOf.get(name) ?? null)],
        fields: [['prompt', fillVariables(prompt, values).prompt]],
      };
    });
  });
}

/** One of each list, the last list changing fastest. */
function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (made, list) => made.flatMap((chosen) => list.map((each) => [...chosen, each])),
    [[]],
  );
}
