import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DomainError, invalidField } from '#kernel';
import type { FieldValues } from '../request.ts';
import { fieldsOf } from './field.ts';

/** Replaces an object: no field of a request accepts it. */
const OBJECT = Symbol('object');

/**
 * The fields of `values` that the class `type` declares, converted and validated; the others are ignored.
 *
 * @throws DomainError `validation_failed` that names every field that breaks its rules
 */
export function readFields<T extends object>(type: new () => T, values: FieldValues, within = ''): T {
  const given = givenOf(type, values);
  const options = { excludeExtraneousValues: true, exposeUnsetFields: false };
  // Most requests give no field of a query class: this skips class-transformer.
  const dto = Object.keys(given).length === 0 ? new type() : plainToInstance(type, given, options);
  // class-validator is slow, as it searches the rules of all classes: it is called only for the reasons of a refusal.
  if ([...fieldsOf(type)].every(([name, { accepts }]) => accepts(dto[name as keyof T]))) {
    return Object.assign(dto, objectsOf(type, values, dto, within));
  }
  const refused = validateSync(dto, { forbidUnknownValues: false });
  const fields = Object.fromEntries(
    refused.map(({ property, constraints }) => [within + property, Object.values(constraints ?? {})]),
  );
  const message = Object.entries(fields)
    .map(([name, problems]) => `${name} ${problems.join(' and ')}`)
    .join('; ');
  throw new DomainError('validation_failed', message, { fields });
}

/**
 * The objects of a request, and its lists of objects.
 *
 * @param dto the other fields; a field that is null there has no object
 */
function objectsOf(type: Type<object>, values: FieldValues, dto: object, within: string): Record<string, object> {
  const objects: Record<string, object> = {};
  for (const [name, { object, elements, isJson, check, parse }] of fieldsOf(type)) {
    if (!values[name] || dto[name as never] === null) continue;
    if (isJson) {
      objects[name] = requireJson(name, isJson, parse!(values[name]));
      const problem = check?.(objects[name]);
      if (problem) throw invalidField(within + name, problem);
    }
    if (object) {
      const given = requireObject(name, parse!(values[name])) as FieldValues;
      objects[name] = readFields(object(), given, `${name}.`);
    }
    if (!elements) continue;
    const list = parse!(values[name]) as readonly unknown[];
    objects[name] = list.map((each, index) => {
      const path = `${name}[${index}]`;
      return readFields(elements(), requireObject(path, each) as FieldValues, `${path}.`);
    });
  }
  return objects;
}

function requireJson(name: string, kind: 'object' | 'list', value: unknown): object {
  if (kind === 'object') return requireObject(name, value);
  if (Array.isArray(value)) return value;
  throw invalidField(name, 'must be a list');
}

function requireObject(name: string, value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidField(name, 'must be an object');
}

/**
 * The declared fields that are given. class-transformer calls the `constructor` property of a nested object, so no object
 * of a client may reach it.
 */
function givenOf(type: Type<object>, values: FieldValues): FieldValues {
  const given: Record<string, unknown> = {};
  for (const [name, { maxItems }] of fieldsOf(type)) {
    const value = values[name];
    if (value === undefined) continue;
    const isList = maxItems !== undefined && Array.isArray(value);
    // One item more than allowed is enough to refuse a list, and class-transformer is slow.
    given[name] = isList ? value.slice(0, maxItems + 1).map(flat) : flat(value);
  }
  return given;
}

function flat(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? OBJECT : value;
}

/**
 * Makes responses of the declared fields only. Lists and free JSON are sent unchanged. A serializer is made once for each
 * class, as metadata is slow to read.
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
