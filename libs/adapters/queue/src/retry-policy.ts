import { DomainError, type ErrorCode } from '#kernel';

/** Whether a job that failed with this code is tried again. */
const RETRY_ON = {
  validation_failed: false,
  invalid_invitation: false,
  invalid_role_change: false,
  file_type_mismatch: false,
  unauthenticated: false,
  insufficient_credits: false,
  forbidden: false,
  plan_required: false,
  owner_not_removable: false,
  not_found: false,
  user_exists: false,
  already_member: false,
  in_other_team: false,
  not_uploaded: false,
  no_persona: false,
  slot_empty: false,
  folder_cycle: false,
  idempotency_in_progress: true,
  conflict: true,
  file_expired: false,
  too_large: false,
  unsupported_file_type: false,
  unsupported_media_type: false,
  idempotency_key_reused: false,
  rate_limited: true,
  internal_error: true,
  unavailable: true,
} as const satisfies Record<ErrorCode, boolean>;

/** Maximum failures before a job is given up. */
export const MAX_FAILURES = 5;
/** Maximum worker crashes before a job is given up. */
export const MAX_CRASHES = 12;

/** Errors of ports carry `retryable`; unforeseen errors are tried again. */
function mayHelp(error: unknown): boolean {
  if (error instanceof DomainError) return RETRY_ON[error.code];
  if (error instanceof Error && 'retryable' in error) return error.retryable === true;
  return true;
}

/**
 * Whether to try again, and after how many seconds.
 *
 * @param failures how often the job has failed, including this time
 */
export function afterFailure(error: unknown, failures: number): { retryAfterSeconds: number } | 'give_up' {
  if (!mayHelp(error) || failures >= MAX_FAILURES) return 'give_up';
  return { retryAfterSeconds: 2 ** failures };
}
