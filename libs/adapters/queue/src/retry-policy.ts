import type { FailureCode } from '#generation';
import { DomainError, type ErrorCode } from '#kernel';
import type { SourceFailureCode } from '#sources';

/** Codes of errors after which a retry may succeed: if not, the job fails at once. */
const RETRYABLE = {
  validation_failed: false,
  invalid_invitation: false,
  invalid_role_change: false,
  file_type_mismatch: false,
  unauthenticated: false,
  second_factor_required: false,
  share_password_required: false,
  insufficient_credits: false,
  budget_exceeded: false,
  quota_exceeded: false,
  forbidden: false,
  insufficient_scope: false,
  email_unverified: false,
  plan_required: false,
  workspace_suspended: false,
  owner_not_removable: false,
  not_found: false,
  request_timeout: false,
  user_exists: false,
  already_member: false,
  in_other_team: false,
  not_uploaded: false,
  no_persona: false,
  slot_empty: false,
  folder_cycle: false,
  transfer_ownership_first: false,
  idempotency_in_progress: true,
  download_running: false,
  guest_name_required: false,
  conflict: true,
  file_expired: false,
  model_retired: false,
  too_large: false,
  unsupported_file_type: false,
  unsupported_media_type: false,
  idempotency_key_reused: false,
  rate_limited: true,
  headers_too_large: false,
  internal_error: true,
  unavailable: true,
  provider_misconfigured: false,
} as const satisfies Record<ErrorCode, boolean>;

/** Failures of ports that a user's input causes: unusable pictures and parameters. */
const CAUSED_BY_USER = {
  url_blocked: true,
  url_unreachable: true,
  url_too_large: true,
  url_timeout: true,
  picture_too_large: true,
  not_an_image: true,
  content_rejected: true,
  invalid_input: true,
  unusable_output: false,
  provider_unavailable: false,
  provider_busy: false,
  provider_misconfigured: false,
  provider_outcome_unknown: false,
  timed_out: false,
} as const satisfies Record<SourceFailureCode | FailureCode, boolean>;

/** Failures after which a job is out of attempts. */
export const MAX_FAILURES = 5;
/** The same for failures with `unavailable`, such as those of the storage: reached after ten minutes. */
export const MAX_FAILURES_UNAVAILABLE = 24;
/** Longest wait between two attempts. */
const MAX_WAIT_SECONDS = 30;
/** Worker crashes after which a job fails. */
export const MAX_CRASHES = 12;

/** Errors of ports have `retryable`; after an unforeseen error the job is retried. */
function isRetryable(error: unknown): boolean {
  if (error instanceof DomainError) return RETRYABLE[error.code];
  if (error instanceof Error && 'retryable' in error) return error.retryable === true;
  return true;
}

/**
 * Reports whether a user's input is the cause, so that an operator can do nothing about it. Unforeseen errors are the
 * service's.
 */
export function isCausedByUser(error: unknown): boolean {
  if (error instanceof DomainError) return !RETRYABLE[error.code];
  if (!(error instanceof Error && 'code' in error)) return false;
  return Object.entries(CAUSED_BY_USER).some(([code, byUser]) => byUser && code === error.code);
}

/**
 * Decides whether a job is retried, and after how many seconds.
 *
 * @param failures the failures of the job, including this one
 */
export function afterFailure(error: unknown, failures: number): { retryAfterSeconds: number } | 'failed' {
  const isUnavailable = error instanceof DomainError && error.code === 'unavailable';
  if (!isRetryable(error) || failures >= (isUnavailable ? MAX_FAILURES_UNAVAILABLE : MAX_FAILURES)) return 'failed';
  return { retryAfterSeconds: Math.min(2 ** failures, MAX_WAIT_SECONDS) };
}
