import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { invalidField } from '#kernel';
import type { ApiRequest } from './api-request.ts';
import { parseInteger } from './fields/integer-field.ts';

export const PATH_IDS = Symbol('path ids');

const IdParam = createParamDecorator((name: string, context: ExecutionContext): number => {
  const id = pathId(context.switchToHttp().getRequest<ApiRequest>(), name);
  if (id === null) throw invalidField(name, 'must be a positive integer');
  return id;
});

/** The id in the path under `name`, a positive integer. */
export function PathId(name: string): ParameterDecorator {
  return (prototype, method, index) => {
    IdParam(name)(prototype, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, method!)!;
    const others = (Reflect.getMetadata(PATH_IDS, descriptor.value as object) as string[] | undefined) ?? [];
    SetMetadata(PATH_IDS, [...others, name])(prototype, method!, descriptor);
  };
}

/** The id in the path under `name`, or `null` when what stands there is none. */
export function pathId(request: ApiRequest, name: string): number | null {
  const id = parseInteger(request.params[name]);
  return typeof id === 'number' && id > 0 ? id : null;
}
