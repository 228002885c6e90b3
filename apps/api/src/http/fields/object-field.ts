import type { Type } from '@nestjs/common';
import { field, type FieldOptions } from './field.ts';

/** An object of an answer, described by its own class. */
export function ObjectField(type: () => Type<object>, options: FieldOptions<object>): PropertyDecorator {
  return field({ schema: { type }, parse: (raw) => raw, problem: () => undefined }, options);
}
