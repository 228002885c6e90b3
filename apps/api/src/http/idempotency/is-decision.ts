import { DomainError, type ErrorCode } from '#kernel';
import { STATUS_OF_CODE } from '../status-of-code.ts';

/** Refusals that say nothing about the state of things: the same request may be made again as if for the first time. */
const UNDECIDED: readonly ErrorCode[] = [
  'validation_failed',
  'unauthenticated',
  'too_large',
  'unsupported_media_type',
  'rate_limited',
  'idempotency_in_progress',
];

/** Whether the error is how a use case decided, to be answered again to the same request. */
export function isDecision(error: unknown): error is DomainError {
  return error instanceof DomainError && STATUS_OF_CODE[error.code] < 500 && !UNDECIDED.includes(error.code);
}
