import type { Type } from '@nestjs/common';
import { fieldsOf } from './field.ts';

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The fields of an object of the API, with the names that they have in the code: `createdAt` for `created_at`. */
export type SourceOf<Dto> = { readonly [Name in keyof Dto as CamelCase<Name & string>]: Dto[Name] };

type Names = readonly (readonly [field: string, property: string])[];

/** By class: metadata is slow to read. */
const namesOf = new WeakMap<Type<object>, Names>();

/**
 * Makes an object of the API: each field that its class declares, from the property of the same name in camel case. It
 * begins with its id, also where the class inherits other fields.
 */
export function dtoOf<Dto extends object>(type: Type<Dto>, source: SourceOf<Dto>): Dto {
  let names = namesOf.get(type);
  if (!names) namesOf.set(type, (names = readNames(type)));
  const dto: Record<string, unknown> = {};
  for (const [field, property] of names) dto[field] = source[property as never];
  return dto as Dto;
}

function readNames(type: Type<object>): Names {
  const fields = [...fieldsOf(type).keys()].map((field) => [field, camelCase(field)] as const);
  return fields.sort(([one], [other]) => Number(other === 'id') - Number(one === 'id'));
}

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
