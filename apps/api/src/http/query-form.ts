import { createParamDecorator, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import type { ApiRequest } from './api-request.ts';
import { formClassOf } from './form-class-of.ts';
import { queryOf } from './query-of.ts';
import { readForm } from './read-form.ts';

export const QUERY_CLASS = Symbol('query class');

const QueryParam = createParamDecorator((type: Type<object>, context: ExecutionContext) =>
  readForm(type, queryOf(context.switchToHttp().getRequest<ApiRequest>())),
);

/** The query string, as the class of the parameter declares it. */
export function QueryForm(): ParameterDecorator {
  return (prototype, method, index) => {
    const type = formClassOf(prototype, method, index);
    QueryParam(type)(prototype, method, index);
    SetMetadata(QUERY_CLASS, type)(prototype, method!, Object.getOwnPropertyDescriptor(prototype, method!)!);
  };
}
