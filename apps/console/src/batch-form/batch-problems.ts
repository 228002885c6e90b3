import { X12Error } from '../api/index.ts';
import { words } from './words.ts';

/** The fields of the form that show a message; a parameter has `parameters.` before its name. */
export type BatchField = 'prompts' | 'variables' | 'models' | 'personas' | 'styles' | 'seeds' | `parameters.${string}`;

export interface BatchProblems {
  readonly fields: Readonly<Partial<Record<BatchField, string>>>;
  /** The message about the number of cells. */
  readonly count: string | null;
  /** An error that belongs to no field. */
  readonly other: unknown;
}

/** The field of the form for each field of a call. */
const OF_CALL: Readonly<Record<string, BatchField>> = {
  ...{ model: 'models', prompt: 'prompts', variables: 'variables', pid: 'personas', seed: 'seeds' },
  ...{ style_transfer: 'styles', style_id: 'styles' },
};
const OF_MATRIX: Readonly<Record<string, BatchField>> = {
  ...{ models: 'models', prompts: 'prompts', variables: 'variables', personas: 'personas', styles: 'styles' },
  ...{ seeds: 'seeds', seeds_count: 'seeds' },
};

/**
 * The messages of a refusal, each at its field: of a cell, with its number.
 *
 * @param parameters the names of those that the form shows
 */
export function batchProblems(error: unknown, parameters: readonly string[]): BatchProblems {
  const found = error instanceof X12Error ? Object.entries(error.fields) : [];
  const fields: Partial<Record<BatchField, string>> = {};
  let count: string | null = null;
  for (const [path, messages] of found) {
    const [, cell, ofCell] = /^cells\.(\d+)\.(.+)$/.exec(path) ?? [];
    const message = messages.join(', ');
    if (path === 'matrix') count = words.countProblem(message);
    const field = ofCell === undefined ? ofMatrix(path) : fieldOf(ofCell, parameters);
    if (field === undefined) continue;
    fields[field] ??=
      ofCell === undefined ? words.problem(labelOf(field), message) : words.cellProblem(cell!, ofCell, message);
  }
  const isShown = count !== null || Object.keys(fields).length > 0;
  return { fields, count, other: isShown ? null : error };
}

function ofMatrix(path: string): BatchField | undefined {
  return path.startsWith('matrix.') ? OF_MATRIX[path.slice('matrix.'.length)] : undefined;
}

function fieldOf(name: string, parameters: readonly string[]): BatchField | undefined {
  return OF_CALL[name] ?? (parameters.includes(name) ? `parameters.${name}` : undefined);
}

function labelOf(field: BatchField): string {
  const labels: Readonly<Record<string, string>> = words.labels;
  return labels[field] ?? field;
}

/** Problems of what is still to be filled in are shown after a try to run the batch. */
export function shownProblems(problems: BatchProblems, isMissing: (field: BatchField) => boolean, wasTried: boolean) {
  if (wasTried) return problems;
  const shown = Object.entries(problems.fields).filter(([field]) => !isMissing(field as BatchField));
  return { ...problems, fields: Object.fromEntries(shown) as BatchProblems['fields'] };
}
