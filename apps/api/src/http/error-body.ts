import type { DomainError, FieldErrors } from '#kernel';

/** The body of every error, in this order of fields. */
export interface ErrorBody {
  readonly status: false;
  readonly code: string;
  readonly message: string;
  readonly errors?: FieldErrors;
  readonly insert_coin?: true;
  readonly request_id: string;
}

export function errorBody(error: DomainError, requestId: string): ErrorBody {
  const { code, message } = error;
  return {
    status: false,
    code,
    message,
    ...fieldErrors(error),
    ...(code === 'insufficient_credits' ? { insert_coin: true } : {}),
    request_id: requestId,
  };
}

function fieldErrors({ code, message, fields }: DomainError): { errors?: FieldErrors } {
  if (code === 'validation_failed') return { errors: fields ?? { request: [message] } };
  if (code === 'unauthenticated') return { errors: { auth: [message] } };
  return fields ? { errors: fields } : {};
}
