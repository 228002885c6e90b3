/** Why a stranger's URL could not be used. Open and closed ports look alike: all of that is `url_unreachable`. */
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
  /** Whether the same source may work later: a server that did not answer may, a picture that is none will not. */
  readonly retryable: boolean;

  constructor(code: SourceFailureCode, options: { retryable: boolean; cause?: unknown }) {
    super(code, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}
