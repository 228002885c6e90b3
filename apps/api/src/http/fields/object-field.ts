import type { Type } from '@nestjs/common';
import { field, type FieldOptions } from './field.ts';

/** An object of an answer, described by its own class. */
export function ObjectField(type: () => Type<object>, options: FieldOptions<object>): PropertyDecorator {
  // The library knows a function that gives the class by its name.
  const lazy = { type: () => type() };
  return field({ schema: lazy, parse: (raw) => raw, problem: () => undefined }, options);
}
