import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { ApiRequest } from './api-request.ts';
import type { FormRecord } from './form-record.ts';
import { TAKES_FORM } from './takes-form.ts';

const FormRecordParam = createParamDecorator((_: unknown, context: ExecutionContext): FormRecord => {
  return context.switchToHttp().getRequest<ApiRequest>().form!;
});

/** Every field of the request body as `FormRecord`, also those that no form class declares. */
export function RawForm(): ParameterDecorator {
  return (prototype, method, index) => {
    FormRecordParam()(prototype, method, index);
    SetMetadata(TAKES_FORM, true)(prototype, method!, Object.getOwnPropertyDescriptor(prototype, method!)!);
  };
}
