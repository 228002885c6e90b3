import type { FailureCode } from '#generation';
import { DomainError, type ErrorCode } from '#kernel';
import type { SourceFailureCode } from '#sources';

/** Which errors may pass: a job that failed with another one is given up at once. */
const MAY_PASS = {
  validation_failed: false,
  invalid_invitation: false,
  invalid_role_change: false,
  file_type_mismatch: false,
  unauthenticated: false,
  insufficient_credits: false,
  quota_exceeded: false,
  forbidden: false,
  plan_required: false,
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
  idempotency_in_progress: true,
  conflict: true,
  file_expired: false,
  too_large: false,
  unsupported_file_type: false,
  unsupported_media_type: false,
  idempotency_key_reused: false,
  rate_limited: true,
  headers_too_large: false,
  internal_error: true,
  unavailable: true,
} as const satisfies Record<ErrorCode, boolean>;

/** Which failures of ports are a user's: pictures and parameters that can't be used, whoever is asked. */
const IS_OF_USER = {
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

/** Maximum failures before a job is given up. */
export const MAX_FAILURES = 5;
/** The same while what the job needs, such as the storage, is away: reached after ten minutes. */
export const MAX_FAILURES_WHILE_AWAY = 24;
/** Longest wait between two tries. */
const MAX_WAIT_SECONDS = 30;
/** Maximum worker crashes before a job is given up. */
export const MAX_CRASHES = 12;

/** Errors of ports carry `retryable`; unforeseen errors are tried again. */
function mayHelp(error: unknown): boolean {
  if (error instanceof DomainError) return MAY_PASS[error.code];
  if (error instanceof Error && 'retryable' in error) return error.retryable === true;
  return true;
}

/** Whether what a user gave is the reason: an operator can do nothing about it. Unforeseen errors are the service's. */
export function isOfUser(error: unknown): boolean {
  if (error instanceof DomainError) return !MAY_PASS[error.code];
  if (!(error instanceof Error && 'code' in error)) return false;
  return Object.entries(IS_OF_USER).some(([code, isOfUser]) => isOfUser && code === error.code);
}

/**
 * Whether to try again, and after how many seconds.
 *
 * @param failures how often the job has failed, including this time
 */
export function afterFailure(error: unknown, failures: number): { retryAfterSeconds: number } | 'give_up' {
  const isAway = error instanceof DomainError && error.code === 'unavailable';
  if (!mayHelp(error) || failures >= (isAway ? MAX_FAILURES_WHILE_AWAY : MAX_FAILURES)) return 'give_up';
  return { retryAfterSeconds: Math.min(2 ** failures, MAX_WAIT_SECONDS) };
}
