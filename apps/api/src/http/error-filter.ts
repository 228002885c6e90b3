import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError, type ErrorCode } from '#kernel';
import { errorBody, openAiErrorBody, statusOf } from './errors.ts';
import { ExistenceChecks } from './existence.ts';
import { type ApiRequest, pathOf } from './request.ts';

const OPENAI_PATHS = '/v1/';

/** Responds to every error with the one error body, or with that of OpenAI's API; internal errors are logged with their cause. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('Http');

  constructor(@Inject(ExistenceChecks) private readonly existence: ExistenceChecks) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = await this.#reported(domainErrorOf(thrown), request);
    const status = statusOf(error.code);
    if (status >= 500) this.#logger.error({ err: error.cause ?? error, msg: error.message });
    if (response.headersSent) {
      // Part of the response was sent: only a broken connection shows that it is incomplete.
      response.destroy();
      return;
    }
    setErrorHeaders(response, error);
    const body = pathOf(request).startsWith(OPENAI_PATHS) ? openAiErrorBody : errorBody;
    response.status(status).json(body(error, request.id));
  }

  async #reported(error: DomainError, request: ApiRequest): Promise<DomainError> {
    try {
      await this.existence.requireBefore(error, request);
      return error;
    } catch (earlier) {
      return domainErrorOf(earlier);
    }
  }
}

function setErrorHeaders(response: Response, { code, retrySeconds }: DomainError): void {
  const isChallenged = response.hasHeader('WWW-Authenticate');
  if (code === 'unauthenticated' && !isChallenged) response.setHeader('WWW-Authenticate', 'Bearer');
  if (retrySeconds !== undefined) response.setHeader('Retry-After', retrySeconds);
  const mayRetry = code === 'idempotency_in_progress' || code === 'unavailable';
  if (mayRetry && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '1');
}

/** Errors of Nest and Express: unknown routes, paths that can't be decoded. */
const FRAMEWORK_ERRORS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['validation_failed', 'the request is malformed'],
  404: ['not_found', 'no such endpoint'],
  405: ['not_found', 'no such endpoint'],
  413: ['too_large', 'the request is too large'],
  415: ['unsupported_media_type', 'the type of the body is not supported'],
  503: ['unavailable', 'the service is not ready; try again'],
};

/** Converts any error to a `DomainError`; an unknown error becomes `internal_error`, which reveals nothing. */
export function domainErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const known = FRAMEWORK_ERRORS[frameworkStatus(error)];
  if (known) return new DomainError(known[0], known[1], { cause: error });
  return new DomainError('internal_error', 'something went wrong on our side', { cause: error });
}

/** Express throws plain errors with a status for mistakes of the client. */
function frameworkStatus(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  return expose === true && typeof status === 'number' ? status : 500;
}
