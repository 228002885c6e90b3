import type { ErrorBody } from './generated/index.ts';

/** Codes of the API; `aborted`, `network_error`, `timeout` and `unexpected_response` are the client's own. */
export type X12ErrorCode = ErrorBody['code'] | 'aborted' | 'network_error' | 'timeout' | 'unexpected_response';

/** Messages by field; `auth` for `unauthenticated`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A failed call. `message` says what to do. */
export class X12Error extends Error {
  override readonly name: string = 'X12Error';
  readonly code: X12ErrorCode;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The id of the request in the service's log. Null without a response of the service. */
  readonly requestId: string | null;
  readonly fields: FieldErrors;
  /** Challenge to send with the code, for `second_factor_required`; else null. */
  readonly challenge: string | null;

  constructor(
    code: X12ErrorCode,
    message: string,
    details: {
      status?: number;
      requestId?: string | null;
      fields?: FieldErrors;
      challenge?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.requestId = details.requestId ?? null;
    this.fields = details.fields ?? {};
    this.challenge = details.challenge ?? null;
  }

  /** Reports whether the same call may succeed later: there was no response, or the service failed or was too busy. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** A call that its `signal` has ended. Its name is that of the platform's errors; `cause` is the reason of the signal. */
export class X12AbortError extends X12Error {
  override readonly name = 'AbortError';

  constructor(cause: unknown) {
    super('aborted', 'the call was aborted', { cause });
  }

  override get isTransient(): boolean {
    return false;
  }
}

/** A call that took too long: no response began in time, or an `AbortSignal.timeout` has ended it. */
export class X12TimeoutError extends X12Error {
  override readonly name = 'TimeoutError';
  readonly #isTransient: boolean;

  /** @param isTransient whether only this attempt is over */
  constructor(message: string, cause: unknown, isTransient: boolean) {
    super('timeout', message, { cause });
    this.#isTransient = isTransient;
  }

  override get isTransient(): boolean {
    return this.#isTransient;
  }
}

/** The error of an aborted signal. */
export function abortErrorOf({ reason }: Pick<AbortSignal, 'reason'>): X12Error {
  if (reason instanceof X12Error) return reason;
  const isTimeout = reason instanceof Error && reason.name === 'TimeoutError';
  return isTimeout ? new X12TimeoutError('the time of the signal is over', reason, false) : new X12AbortError(reason);
}

/** @throws X12AbortError, X12TimeoutError */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortErrorOf(signal);
}

/** @param body the body of the response, parsed if it is JSON */
export function errorOfResponse(response: Response, body: unknown): X12Error {
  const { status } = response;
  if (isErrorBody(body)) {
    const { code, message, request_id: requestId, errors: fields, challenge } = body;
    return new X12Error(code, message, { status, requestId, fields, challenge });
  }
  return new X12Error('unexpected_response', `a response with status ${status} did not come from the service`, {
    status,
    requestId: response.headers.get('x-request-id'),
    cause: body,
  });
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'request_id' in body;
}
