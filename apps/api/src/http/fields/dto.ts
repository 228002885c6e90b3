import type { Type } from '@nestjs/common';
import { DomainError, invalidField } from '#kernel';
import type { FieldValues } from '../request.ts';
import { fieldsOf } from './field.ts';

/**
 * The fields of `values` that the class `type` declares, converted and validated; the others are ignored.
 *
 * @throws DomainError `validation_failed` that names every field that breaks its rules
 */
export function readFields<T extends object>(type: new () => T, values: FieldValues, within = ''): T {
  const dto = new type() as Record<string, unknown>;
  const problems: [name: string, problem: string][] = [];
  for (const [name, { parse, problem }] of fieldsOf(type)) {
    if (values[name] !== undefined) dto[name] = parse(values[name]);
    const refused = problem(dto[name]);
    if (refused !== undefined) problems.push([within + name, refused]);
  }
  if (problems.length > 0) {
    const message = problems.map((problem) => problem.join(' ')).join('; ');
    const fields = Object.fromEntries(problems.map(([name, problem]) => [name, [problem]]));
    throw new DomainError('validation_failed', message, { fields });
  }
  for (const [name, { elements }] of fieldsOf(type)) {
    if (!elements || !dto[name]) continue;
    const list = dto[name] as readonly unknown[];
    dto[name] = list.map((each, index) => readElement(elements(), `${name}[${index}]`, each));
  }
  return dto as T;
}

function readElement(type: Type<object>, name: string, value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField(name, 'must be an object');
  }
  return readFields(type, value as FieldValues, `${name}.`);
}

/**
 * Makes responses of the declared fields alone: no other leaves the service. Lists and free JSON are sent as they are.
 * It is made once for each class, as metadata is slow to read.
 */
export function serializerOf(type: Type<object>): (body: object) => object {
  const declared = new Map([...fieldsOf(type)].map(([name, { nested }]) => [name, nested && serializerOf(nested())]));
  return (body) => {
    const sent: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(body)) {
      if (!declared.has(name)) continue;
      const nested = declared.get(name);
      sent[name] = nested && value ? nested(value) : value;
    }
    return sent;
  };
}
