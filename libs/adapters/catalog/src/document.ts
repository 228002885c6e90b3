import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { CATALOGUE_SCHEMA } from './catalogue-schema.ts';
import { createAjv } from './parameter-check.ts';
import { problemOf, type Problem } from './schema-problems.ts';

/** An invalid catalogue. The message has a line for each problem, with file, entry and field, and no keys. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
}

/**
 * Reads a YAML or JSON file, with merges (`<<`).
 *
 * @throws CatalogError
 */
export function readDocument(file: string): unknown {
  const document = parseDocument(readText(file), { merge: true });
  const faults = [...document.errors, ...document.warnings];
  // Further lines quote the file, which may contain a key.
  const lines = faults.map(({ message }) => `${basename(file)}: ${message.split('\n')[0]!.replace(/:$/, '')}`);
  if (lines.length > 0) throw new CatalogError(lines.join('\n'));
  try {
    // Converts what only YAML has, such as dates, and maps with keys of other types.
    return JSON.parse(JSON.stringify(document.toJS())) as unknown;
  } catch (error) {
    throw new CatalogError(`${basename(file)}: ${(error as Error).message}`);
  }
}

/** @throws CatalogError */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CatalogError(`${basename(file)}: can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

let compiled: ValidateFunction | undefined;

export function schemaProblems(document: unknown): Problem[] {
  const validate = (compiled ??= createAjv({ verbose: true, strict: false }).compile(CATALOGUE_SCHEMA));
  if (validate(document)) return [];
  // One problem for each field. Earlier errors may come from the schema of JSON Schemas.
  const problems = new Map<string, Problem>();
  for (const error of validate.errors!) {
    const problem = problemOf(error);
    if (problem) problems.set(problem.path.join('/'), problem);
  }
  return [...problems.values()];
}
