import { VendorCallFailed, type VendorResponse } from '#adapters/outgoing-http';
import { NotAccepted, OutcomeUnknown, ProviderFailure, type FailureCode } from '#generation';

const MESSAGES: Readonly<Record<FailureCode, string>> = {
  content_rejected: 'the provider has rejected the content',
  invalid_input: 'the provider has rejected the input',
  unusable_output: 'the provider has made no usable output',
  provider_unavailable: 'the provider cannot be reached now',
  provider_busy: 'the provider is busy',
  provider_misconfigured: 'the provider is not set up correctly, the operator of the service has to act',
  provider_outcome_unknown: 'it is not known whether the provider has made it',
  timed_out: 'the provider has taken too long',
};
/** Unauthenticated, not paid, forbidden. */
const KEY_REFUSED = [401, 402, 403];
/** The vendor refuses the request for now. */
const RETRY_LATER = [408, 409, 425, 429];
const DETAIL_LENGTH = 500;

/** Reports whether a refusal for now proves, by the vendor's documents, that it has not accepted the request. */
export type IsNotAccepted = (response: VendorResponse) => boolean;

/** Classifies a refusal by its body; `null` when only the status counts. */
export type ClassifyRefusal = (response: VendorResponse) => Refusal | null;

/** `unknown_model`: the vendor says that it has no such model, version or endpoint. */
export type Refusal = FailureCode | 'unknown_model';

/** The cause of a failure that concerns one of several servers: the provider is not down. */
export class PartlyDown extends Error {
  override readonly name = 'PartlyDown';

  constructor(cause: unknown) {
    super('one server of the provider cannot be reached', { cause });
  }
}

interface FailureOptions {
  /** Details for the operator. */
  readonly cause?: unknown;
  readonly retryable?: boolean;
  readonly isModelUnknown?: boolean;
  /** Message for callers (default: the meaning of the code). */
  readonly message?: string;
}

export function providerFailure(
  code: FailureCode,
  { cause, message = MESSAGES[code], ...options }: FailureOptions = {},
): ProviderFailure {
  return new ProviderFailure(code, message, { ...options, cause: detailOf(cause) });
}

/**
 * Maps the failure of a POST. Unless the vendor refuses it explicitly, it may have started the job: a proxy, or a server
 * that has done the work, responds with 429 or 503 too.
 *
 * @param isNotAccepted of a vendor that can't be asked what it has; others are asked before the POST is repeated
 */
export function submissionFailure(
  error: unknown,
  classify: ClassifyRefusal,
  isNotAccepted: IsNotAccepted = () => true,
): Error {
  if (isOurs(error)) return error;
  const cause = detailOf(error);
  if (!(error instanceof VendorCallFailed)) return new OutcomeUnknown({ cause });
  if (error.outcome === 'not_sent') return new NotAccepted('provider_unavailable', null, { cause });
  if (!error.response) return new OutcomeUnknown({ cause });
  const { status, retryAfterSeconds } = error.response;
  const code = classify(error.response);
  if (code === 'unknown_model') return providerFailure('provider_misconfigured', { cause, isModelUnknown: true });
  if (code) return providerFailure(code, { cause });
  const isForNow = status === 503 || RETRY_LATER.includes(status);
  if (isForNow && isNotAccepted(error.response)) {
    const refusal = status === 503 ? 'provider_unavailable' : 'provider_busy';
    return new NotAccepted(refusal, retryAfterSeconds, { cause, wasSent: true });
  }
  if (isForNow || status >= 500) return new OutcomeUnknown({ cause });
  const isInput = status >= 400 && status !== 404 && !KEY_REFUSED.includes(status);
  return providerFailure(isInput ? 'invalid_input' : 'provider_misconfigured', { cause });
}

/** Maps the failure of a request before the POST, such as an upload. */
export function preparationFailure(error: unknown, classify: ClassifyRefusal): Error {
  // It is not the model that is unknown.
  const failure = submissionFailure(error, (response) => {
    const refusal = classify(response);
    return refusal === 'unknown_model' ? null : refusal;
  });
  const { cause } = failure;
  if (failure instanceof OutcomeUnknown) return new NotAccepted('provider_unavailable', null, { cause });
  return failure instanceof NotAccepted ? new NotAccepted(failure.code, failure.retryAfterSeconds, { cause }) : failure;
}

/** Maps the failure of a query. */
export function queryFailure(error: unknown): Error {
  if (isOurs(error)) return error;
  const status = error instanceof VendorCallFailed && error.response?.status;
  // The vendor is not down.
  if (error instanceof VendorCallFailed && error.outcome === 'too_large') {
    return providerFailure('unusable_output', { cause: error, retryable: true });
  }
  if (status && KEY_REFUSED.includes(status)) return providerFailure('provider_misconfigured', { cause: error });
  const code = status === 429 ? 'provider_busy' : 'provider_unavailable';
  return providerFailure(code, { cause: error, retryable: true });
}

function isOurs(error: unknown): error is Error {
  return error instanceof ProviderFailure || error instanceof NotAccepted || error instanceof OutcomeUnknown;
}

/** Adds the start of the vendor's response, without URL parameters and the bytes of pictures. */
function detailOf(cause: unknown): unknown {
  if (!(cause instanceof VendorCallFailed) || !cause.response) return cause;
  const body = cause.response.body
    .replace(/\?[^\s"'<>]*/g, '?…')
    .replace(/\bdata:[^\s"'<>]*/g, 'data:…')
    .slice(0, DETAIL_LENGTH);
  return new Error(`${cause.message}: ${body}`);
}
