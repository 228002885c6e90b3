import { DomainError, type ErrorCode } from '#kernel';

/** Errors that may pass: a job that failed with another code is given up at once. */
const RETRIED: readonly ErrorCode[] = [
  'idempotency_in_progress',
  'conflict',
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** Maximum failures before a job is given up. */
export const MAX_FAILURES = 5;
/** Maximum worker crashes before a job is given up. */
export const MAX_CRASHES = 12;

/** Errors of ports carry `retryable`; unforeseen errors are tried again. */
function mayHelp(error: unknown): boolean {
  if (error instanceof DomainError) return RETRIED.includes(error.code);
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
