/** What is known of a picture once it was decoded. */
export interface PictureFacts {
  /** By magic number, never by name: `image/jpeg`, `image/png`, `image/webp`, `image/gif`, `image/tiff`, `image/svg+xml`. */
  readonly contentType: string;
  /** Pixels, after applying the orientation. */
  readonly width: number;
  readonly height: number;
}

/** Reads pictures that strangers made, within limits of pixels, pages, memory and time. */
export interface Pictures {
  /**
   * Decodes the picture in `file` as far as is needed to be sure that it is one.
   *
   * @throws SourceFailure `not_an_image` (not retryable) for anything that is no supported picture, can't be
   * decoded, or is over the limits
   */
  examine(file: string): Promise<PictureFacts>;

  /**
   * Draws the SVG picture in `file` as a PNG in the file `target`, in its proportions, on a transparent ground, large
   * enough to work with.
   *
   * @returns what is known of the PNG
   * @throws SourceFailure `not_an_image` (not retryable) as `examine` does, and for a picture that is no SVG; then
   * there is no `target`
   */
  rasterise(file: string, target: string): Promise<PictureFacts>;
}
