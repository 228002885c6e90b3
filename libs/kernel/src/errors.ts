/**
 * Every reason the service refuses a request or gives up on work. The set is closed: the HTTP status of each
 * is one table in the API, retry or give up is one table in the worker, and both must name every code.
 */
export const ERROR_CODES = [
  'validation_failed',
  'invalid_invitation',
  'invalid_role_change',
  'file_type_mismatch',
  'unauthenticated',
  'insufficient_credits',
  'forbidden',
  'plan_required',
  'owner_not_removable',
  'not_found',
  'user_exists',
  'already_member',
  'in_other_team',
  'not_uploaded',
  'no_persona',
  'slot_empty',
  'folder_cycle',
  'idempotency_in_progress',
  'conflict',
  'file_expired',
  'too_large',
  'unsupported_file_type',
  'unsupported_media_type',
  'idempotency_key_reused',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Messages by field name, as the error body of the API shows them. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A refusal in the domain's own words. `message` is shown to the caller: it says what to do. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;

  constructor(code: ErrorCode, message: string, options: { fields?: FieldErrors; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
  }
}

/** The refusal of one field: the message names the field, the field error does not repeat it. */
export function invalidField(field: string, problem: string): DomainError {
  return new DomainError('validation_failed', `${field} ${problem}`, { fields: { [field]: [problem] } });
}

export function notFound(what: string): DomainError {
  return new DomainError('not_found', `no such ${what}`);
}
