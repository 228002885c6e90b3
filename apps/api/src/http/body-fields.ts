import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { ApiRequest } from './api-request.ts';
import type { FieldValues } from './field-values.ts';
import { TAKES_BODY } from './takes-body.ts';

const FieldsParam = createParamDecorator((_: unknown, context: ExecutionContext): FieldValues => {
  return context.switchToHttp().getRequest<ApiRequest>().fields!;
});

/** Every field of the request body as `FieldValues`, also those that no form class declares. */
export function BodyFields(): ParameterDecorator {
  return (prototype, method, index) => {
    FieldsParam()(prototype, method, index);
    SetMetadata(TAKES_BODY, true)(prototype, method!, Object.getOwnPropertyDescriptor(prototype, method!)!);
  };
}
