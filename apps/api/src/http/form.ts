import { createParamDecorator, type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import type { ApiRequest } from './api-request.ts';
import { formClassOf } from './form-class-of.ts';
import { readForm } from './read-form.ts';
import { TAKES_FORM } from './takes-form.ts';

export const FORM_CLASS = Symbol('form class');

const FormParam = createParamDecorator((type: Type<object>, context: ExecutionContext) =>
  readForm(type, context.switchToHttp().getRequest<ApiRequest>().form!),
);

/** The request body, in any of the three types that bodies have, as the class of the parameter declares it. */
export function Form(): ParameterDecorator {
  return (prototype, method, index) => {
    const type = formClassOf(prototype, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, method!)!;
    FormParam(type)(prototype, method, index);
    SetMetadata(TAKES_FORM, true)(prototype, method!, descriptor);
    SetMetadata(FORM_CLASS, type)(prototype, method!, descriptor);
  };
}
