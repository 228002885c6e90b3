import { DomainError, invalidField } from '#kernel';
import type { FieldValues } from '../field-values.ts';
import { FieldCollector } from './field-collector.ts';

/**
 * The fields of a JSON object.
 *
 * @throws DomainError `validation_failed`
 */
export function parseJson(text: string): FieldValues {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('body', 'must be a JSON object');
  }
  const fields = new FieldCollector();
  for (const [name, entry] of Object.entries(value)) fields.add(name, entry);
  refuseRepeatedNames(text);
  return fields.record;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = 'the body is not valid JSON';
    throw new DomainError('validation_failed', message, { fields: { body: ['must be valid JSON'] }, cause });
  }
}

/** JSON.parse keeps the last of several fields with one name, where a form with two is refused. */
function refuseRepeatedNames(json: string): void {
  const names = new Set<string>();
  let depth = 0;
  let expectsName = false;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    if (token === '{' || token === '[') expectsName = ++depth === 1;
    else if (token === '}' || token === ']') depth--;
    else if (token === ',') expectsName = depth === 1;
    else if (expectsName) {
      expectsName = false;
      const name = JSON.parse(token) as string;
      if (names.has(name)) throw invalidField(name, 'is given more than once');
      names.add(name);
    }
  }
}
