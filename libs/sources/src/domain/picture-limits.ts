/** What strangers' pictures may be at most. */
export interface PictureLimits {
  /** Bytes of the file. */
  readonly maxBytes: number;
}
