import { ModelRetired } from '#catalogue';
import { BudgetExceeded } from '#credits';
import { InsufficientScope, SecondFactorRequired } from '#identity';
import type { DomainError, ErrorCode, FieldErrors } from '#kernel';

/** The HTTP status of every error and an example of its message for the documentation. */
export const ERRORS = {
  validation_failed: [400, 'slot must be an integer from 1 to 7'],
  invalid_invitation: [400, 'this invitation is not valid for you; ask for a new one'],
  invalid_role_change: [400, 'role must be member or admin, and the role of the owner stays'],
  file_type_mismatch: [400, 'the bytes are not what the name of the file says'],
  unauthenticated: [401, 'send a valid API token as `Authorization: Bearer <token>`'],
  second_factor_required: [401, 'send `challenge` and a `code` of your authenticator app, or a recovery code'],
  share_password_required: [401, 'this link needs a password'],
  insufficient_credits: [402, 'this costs 4 credits and 1 is left'],
  budget_exceeded: [402, 'this costs more credits than the monthly budget of the API token has left'],
  quota_exceeded: [402, 'the storage of the workspace is full: delete files that are not needed'],
  forbidden: [403, 'only owner and admin may do this'],
  email_unverified: [403, 'confirm your e-mail address first: its mail can be sent again'],
  insufficient_scope: [403, 'the API token lacks the scope boards: use one that has it'],
  workspace_suspended: [403, 'this workspace is suspended and can only be read: ask the operator'],
  plan_required: [403, 'this needs an enterprise plan'],
  owner_not_removable: [403, 'the owner cannot be removed'],
  not_found: [404, 'no such persona'],
  request_timeout: [408, 'the request did not arrive in time: send it faster'],
  user_exists: [409, 'there is a user with this e-mail already'],
  already_member: [409, 'this user is a member already'],
  in_other_team: [409, 'this user is in another team'],
  not_uploaded: [409, 'PUT the bytes to signed_url first'],
  no_persona: [409, 'your persona was deleted meanwhile: send the request again'],
  slot_empty: [409, 'fill slot 1 first'],
  folder_cycle: [409, 'a folder cannot be moved into itself'],
  transfer_ownership_first: [409, 'transfer the ownership of your team to another member first'],
  idempotency_in_progress: [409, 'the first request with this key is still running'],
  download_running: [409, 'another download of yours is running: wait for its end'],
  guest_name_required: [409, 'give your name first: `POST …/enter` with `name`'],
  conflict: [409, 'this was changed meanwhile; read it again'],
  file_expired: [410, 'the 12 hours of this temporary file are over'],
  model_retired: [410, 'the model fluw has ended: use flux-dev'],
  too_large: [413, 'the body must have at most 1048576 bytes'],
  unsupported_file_type: [415, 'the name must end in one of the supported extensions'],
  unsupported_media_type: [415, 'send the body as multipart/form-data or application/json'],
  idempotency_key_reused: [422, 'this key was used for another request: use a new one'],
  rate_limited: [429, 'too many requests; try again in 12 seconds'],
  headers_too_large: [431, 'the URL and the headers must have at most 16384 bytes together'],
  internal_error: [500, 'something went wrong on our side'],
  unavailable: [503, 'the service is not ready; try again'],
  provider_misconfigured: [503, 'the vendor no longer has the model fluw: the operator of the service has to act'],
} as const satisfies Record<ErrorCode, readonly [number, string]>;

export function statusOf(code: ErrorCode): number {
  return ERRORS[code][0];
}

/** The body of every error, in this order of fields. */
export function errorBody(error: DomainError, requestId: string) {
  const { code, message } = error;
  return {
    status: false,
    code,
    message,
    ...fieldErrors(error),
    ...(code === 'insufficient_credits' ? { insert_coin: true } : {}),
    ...(error instanceof SecondFactorRequired ? { challenge: error.challenge } : {}),
    ...(error instanceof InsufficientScope ? { scope: error.scope } : {}),
    ...(error instanceof ModelRetired ? { alternatives: error.alternatives } : {}),
    ...(error instanceof BudgetExceeded ? { budget: error.budget } : {}),
    request_id: requestId,
  };
}

/** Names of fields in OpenAI's image API. */
const OPENAI_FIELDS: Readonly<Record<string, string>> = { count: 'n', customer: 'user', mask_image: 'mask' };

/** The body of an error of the routes that speak OpenAI's API. */
export function openAiErrorBody({ code, message, fields = {} }: DomainError, requestId: string) {
  const [field = null] = Object.keys(fields);
  const type = statusOf(code) >= 500 ? 'server_error' : (OPENAI_TYPES[code] ?? 'invalid_request_error');
  return { error: { message, type, param: field && (OPENAI_FIELDS[field] ?? field), code }, request_id: requestId };
}

const OPENAI_TYPES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  insufficient_scope: 'permission_error',
  insufficient_credits: 'insufficient_quota',
  budget_exceeded: 'insufficient_quota',
  rate_limited: 'rate_limit_error',
};

function fieldErrors({ code, message, fields }: DomainError): { errors?: FieldErrors } {
  if (code === 'validation_failed') return { errors: fields ?? { request: [message] } };
  if (code === 'unauthenticated') return { errors: { auth: [message] } };
  return fields ? { errors: fields } : {};
}
