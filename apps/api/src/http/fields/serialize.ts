import type { Type } from '@nestjs/common';
import { instanceToPlain } from 'class-transformer';
import { fieldsOf } from './field.ts';

const isBoundedByClass = new WeakMap<Type<object>, boolean>();

/**
 * The declared fields of a response. Responses with lists or free JSON are returned unchanged: class-transformer
 * would cost them more than the rest of the request (docs/decisions/0016-class-transformer.md).
 */
export function serialize(type: Type<object>, body: object): object {
  let bounded = isBoundedByClass.get(type);
  if (bounded === undefined) isBoundedByClass.set(type, (bounded = isBounded(type)));
  if (!bounded) return body;
  return instanceToPlain(Object.assign(new type(), body), { excludeExtraneousValues: true });
}

function isBounded(type: Type<object>): boolean {
  return [...fieldsOf(type).values()].every(
    ({ isUnbounded, nested }) => !isUnbounded && (!nested || isBounded(nested())),
  );
}
