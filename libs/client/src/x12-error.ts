import type { ErrorBody } from './generated/index.ts';

/** Codes of the API; `network_error`, `timeout` and `unexpected_response` are the client's own. */
export type X12ErrorCode = ErrorBody['code'] | 'network_error' | 'timeout' | 'unexpected_response';

/** Messages by field; `auth` for `unauthenticated`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A failed call. `message` says what to do. */
export class X12Error extends Error {
  override readonly name = 'X12Error';
  readonly code: X12ErrorCode;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The id of the request in the service's log. Null without a response of the service. */
  readonly requestId: string | null;
  readonly fields: FieldErrors;
  /** What to send with the code, for `second_factor_required`; else null. */
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

  /** Whether the same call may succeed later: there was no response, or the service failed or was too busy. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
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
