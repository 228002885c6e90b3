/**
 * The error codes of the service. A table in the API maps each to an HTTP status, a table in the queue says whether a
 * job is retried; the compiler checks that both are complete.
 */
export const ERROR_CODES = [
  'validation_failed',
  'invalid_invitation',
  'invalid_role_change',
  'file_type_mismatch',
  'unauthenticated',
  'second_factor_required',
  'share_password_required',
  'insufficient_credits',
  'budget_exceeded',
  'quota_exceeded',
  'forbidden',
  'insufficient_scope',
  'email_unverified',
  'plan_required',
  'workspace_suspended',
  'owner_not_removable',
  'not_found',
  'request_timeout',
  'user_exists',
  'already_member',
  'in_other_team',
  'not_uploaded',
  'no_persona',
  'slot_empty',
  'folder_cycle',
  'transfer_ownership_first',
  'idempotency_in_progress',
  'download_running',
  'guest_name_required',
  'conflict',
  'file_expired',
  'model_retired',
  'too_large',
  'unsupported_file_type',
  'unsupported_media_type',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'provider_misconfigured',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Messages by field name, as the error body of the API shows them. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An error that callers see. The message says what to do. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** When to try again, for `rate_limited`. */
  readonly retrySeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { fields?: FieldErrors; retrySeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.retrySeconds = options.retrySeconds;
  }
}

/** An error in one field. The message names the field; the field error does not repeat the name. */
export function invalidField(field: string, problem: string): DomainError {
  return new DomainError('validation_failed', `${field} ${problem}`, { fields: { [field]: [problem] } });
}

export function notFound(what: string): DomainError {
  return new DomainError('not_found', `no such ${what}`);
}
