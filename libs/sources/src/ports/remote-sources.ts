/** Strangers' URLs. The only way by which the service fetches anything from an address it was given. */
export interface RemoteSources {
  /**
   * Fetches `url` into the file `target`, streaming. Only http and https to public addresses, at most
   * `maxBytes`, within the total time limit, through at most three redirects. Only a complete answer with status
   * 200 counts.
   *
   * @returns the number of bytes written
   * @throws SourceFailure `url_blocked`, `url_unreachable`, `url_too_large`, `url_timeout`; the signal's reason when
   * it is aborted. In each case `target` is gone
   */
  fetchToFile(
    url: string,
    target: string,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<number>;
}
