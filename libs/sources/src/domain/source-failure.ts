/** Why an untrusted URL can't be used. Open and closed ports are not told apart: both are `url_unreachable`. */
export const SOURCE_FAILURES = [
  'url_blocked',
  'url_unreachable',
  'url_too_large',
  'url_timeout',
  'not_an_image',
] as const;

export type SourceFailureCode = (typeof SOURCE_FAILURES)[number];

/** A source that can't be used. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly code: SourceFailureCode;
  /** Whether the same source may work later: a server that did not respond may, a broken picture will not. */
  readonly retryable: boolean;

  constructor(code: SourceFailureCode, options: { retryable: boolean; cause?: unknown }) {
    super(code, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}
