/**
 * Why an untrusted URL can't be used. Open and closed ports are not told apart: both are `url_unreachable`.
 * `picture_too_large`: a picture beyond the limits of pixels, memory or pages; `not_an_image`: none that can be decoded.
 */
export type SourceFailureCode =
  'url_blocked' | 'url_unreachable' | 'url_too_large' | 'url_timeout' | 'picture_too_large' | 'not_an_image';

/** A source that can't be used. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  /** Whether the same source may work later: a server that did not respond may, a broken picture will not. */
  readonly retryable: boolean;

  constructor(
    readonly code: SourceFailureCode,
    { retryable, cause }: { readonly retryable: boolean; readonly cause?: unknown },
  ) {
    super(code, { cause });
    this.retryable = retryable;
  }
}
