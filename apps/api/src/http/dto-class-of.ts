import type { Type } from '@nestjs/common';
import { fieldsOf } from './fields/field.ts';

/**
 * The class of a decorated parameter.
 *
 * @throws TypeError when it has no fields: not a form class, or imported with `import type`
 */
export function dtoClassOf(
  prototype: object,
  method: string | symbol | undefined,
  index: number,
): Type<object> {
  const types = Reflect.getMetadata('design:paramtypes', prototype, method!) as unknown[] | undefined;
  const type = types?.[index];
  if (typeof type !== 'function' || !fieldsOf(type as Type<object>)) {
    const where = `${prototype.constructor.name}.${String(method)}`;
    throw new TypeError(
      `parameter ${index} of ${where} has no form class: import it as a value, not as a type`,
    );
  }
  return type as Type<object>;
}
