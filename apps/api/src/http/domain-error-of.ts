import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorCode } from '#kernel';

/** What Nest and Express themselves refuse: unknown routes, paths that can't be decoded. */
const CODE_OF_STATUS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['validation_failed', 'the request is malformed'],
  404: ['not_found', 'no such endpoint'],
  405: ['not_found', 'no such endpoint'],
  413: ['too_large', 'the request is too large'],
  415: ['unsupported_media_type', 'the type of the body is not supported'],
  503: ['unavailable', 'the service is not ready; try again'],
};

/** Any error as one of the closed set; what is not known is our fault and tells the caller nothing. */
export function domainErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const known = CODE_OF_STATUS[statusOf(error)];
  if (known) return new DomainError(known[0], known[1], { cause: error });
  return new DomainError('internal_error', 'something went wrong on our side', { cause: error });
}

/** Express throws plain errors with a status for what the client did wrong. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  return expose === true && typeof status === 'number' ? status : 500;
}
