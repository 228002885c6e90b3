import { createParamDecorator, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import type { ApiRequest } from './api-request.ts';
import { dtoClassOf } from './dto-class-of.ts';
import { queryOf } from './query-of.ts';
import { readFields } from './read-fields.ts';

export const QUERY_CLASS = Symbol('query class');

const QueryParam = createParamDecorator((type: Type<object>, context: ExecutionContext) =>
  readFields(type, queryOf(context.switchToHttp().getRequest<ApiRequest>())),
);

/** The query string, as the class of the parameter declares it. */
export function RequestQuery(): ParameterDecorator {
  return (prototype, method, index) => {
    const type = dtoClassOf(prototype, method, index);
    QueryParam(type)(prototype, method, index);
    SetMetadata(QUERY_CLASS, type)(prototype, method!, Object.getOwnPropertyDescriptor(prototype, method!)!);
  };
}
