import type { Type } from '@nestjs/common';
import { fieldsOf } from './field.ts';

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The fields of an object of the API, with the names that they have in the code: `createdAt` for `created_at`. */
export type SourceOf<Dto> = { readonly [Name in keyof Dto as CamelCase<Name & string>]: Dto[Name] };

interface Shape {
  readonly names: readonly (readonly [field: string, property: string])[];
  /** An object with all fields. Its copies are filled; objects that grow to 20 fields become slow ones. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** By class: metadata is slow to read. */
const shapes = new WeakMap<Type<object>, Shape>();

/**
 * Makes an object of the API: each field that its class declares, from the property of the same name in camel case. It
 * begins with its id, also where the class inherits other fields.
 */
export function dtoOf<Dto extends object>(type: Type<Dto>, source: SourceOf<Dto>): Dto {
  let shape = shapes.get(type);
  if (!shape) shapes.set(type, (shape = shapeOf(type)));
  const dto: Record<string, unknown> = { ...shape.empty };
  for (const [field, property] of shape.names) dto[field] = source[property as never];
  return dto as Dto;
}

function shapeOf(type: Type<object>): Shape {
  const fields = [...fieldsOf(type).keys()].map((field) => [field, camelCase(field)] as const);
  const names = fields.sort(([one], [other]) => Number(other === 'id') - Number(one === 'id'));
  // By `JSON.parse`, which makes objects of many fields fast ones.
  return { names, empty: JSON.parse(JSON.stringify(Object.fromEntries(names.map(([field]) => [field, null])))) };
}

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
