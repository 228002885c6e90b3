import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { DomainError } from '#kernel';
import type { ApiRequest } from './api-request.ts';
import { domainErrorOf } from './domain-error-of.ts';
import { errorBody } from './error-body.ts';
import { STATUS_OF_CODE } from './status-of-code.ts';

/** Answers every error with the one error body; our own faults are logged with their cause. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('Http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = domainErrorOf(thrown);
    const status = STATUS_OF_CODE[error.code];
    if (status >= 500) this.#logger.error({ err: error.cause ?? error, msg: error.message });
    if (response.headersSent) {
      // Half an answer is out; cutting it off is the only way left to say that it is not whole.
      response.destroy();
      return;
    }
    setErrorHeaders(response, error);
    response.status(status).json(errorBody(error, request.id));
  }
}

function setErrorHeaders(response: Response, { code }: DomainError): void {
  if (code === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer');
  const mayRetry = code === 'idempotency_in_progress' || code === 'unavailable';
  if (mayRetry && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '1');
}
