/**
 * The reason to refuse an untrusted URL. `url_unreachable` does not distinguish open and closed ports.
 * `picture_too_large`: exceeds the limits of pixels, memory or pages. `not_an_image`: can't be decoded as a picture.
 */
export type SourceFailureCode =
  | 'url_blocked'
  | 'url_unreachable'
  | 'url_too_large'
  | 'url_timeout'
  | 'picture_too_large'
  | 'not_an_image';

/** An unusable source. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  /** True if a retry may succeed: true for a server that did not respond, false for a broken picture. */
  readonly retryable: boolean;

  constructor(
    readonly code: SourceFailureCode,
    { retryable, cause }: { readonly retryable: boolean; readonly cause?: unknown },
  ) {
    super(code, { cause });
    this.retryable = retryable;
  }
}
