import type { Type } from '@nestjs/common';
import { field, type FieldOptions } from './field.ts';

/** A list of an answer; its entries are described by a class, or are all String or Number. */
export function ListField(
  type: () => Type<object> | typeof String | typeof Number,
  options: FieldOptions<readonly unknown[]>,
): PropertyDecorator {
  // The library knows a function that gives the class by its name.
  const lazy = { type: () => type() as Type<object>, isArray: true };
  return field({ schema: lazy, parse: (raw) => raw, problem: () => undefined }, options);
}
