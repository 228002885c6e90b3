import { DomainError, type ErrorCode } from '#kernel';

/** Errors that may pass: a job that failed with another code is given up at once. */
const RETRIED: readonly ErrorCode[] = [
  'idempotency_in_progress',
  'conflict',
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** Codes of ports for pictures and calls that can't be used, whoever is asked. */
const USERS_MISTAKES = [
  'url_blocked',
  'url_unreachable',
  'url_too_large',
  'url_timeout',
  'picture_too_large',
  'not_an_image',
  'invalid_input',
  'content_rejected',
];

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
  if (error instanceof DomainError) return RETRIED.includes(error.code);
  if (error instanceof Error && 'retryable' in error) return error.retryable === true;
  return true;
}

/** Whether what a user gave is the reason: an operator can do nothing about it. Unforeseen errors are the service's. */
export function isOfUser(error: unknown): boolean {
  if (error instanceof DomainError) return !RETRIED.includes(error.code);
  if (!(error instanceof Error && 'code' in error)) return false;
  return USERS_MISTAKES.includes(String(error.code));
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
