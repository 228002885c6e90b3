import { createParamDecorator, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import type { ApiRequest } from './api-request.ts';
import { dtoClassOf } from './dto-class-of.ts';
import { readFields } from './read-fields.ts';
import { TAKES_BODY } from './takes-body.ts';

export const BODY_CLASS = Symbol('form class');

const BodyParam = createParamDecorator((type: Type<object>, context: ExecutionContext) =>
  readFields(type, context.switchToHttp().getRequest<ApiRequest>().fields!),
);

/** The request body, in any of the three types that bodies have, as the class of the parameter declares it. */
export function RequestBody(): ParameterDecorator {
  return (prototype, method, index) => {
    const type = dtoClassOf(prototype, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, method!)!;
    BodyParam(type)(prototype, method, index);
    SetMetadata(TAKES_BODY, true)(prototype, method!, descriptor);
    SetMetadata(BODY_CLASS, type)(prototype, method!, descriptor);
  };
}
