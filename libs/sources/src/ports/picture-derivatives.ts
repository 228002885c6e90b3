import type { PictureFacts } from './pictures.ts';

export interface ThumbnailWish {
  /** Pixels along the longer side. */
  readonly edge: number;
  /** Where the thumbnail is to be written. */
  readonly file: string;
}

/** A smaller picture in a file of this machine, a WebP in sRGB, upright. */
export interface ThumbnailFile {
  readonly file: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** What something is shown with before, or instead of, itself. */
export interface Preview {
  /** Of what the preview is of, in pixels, upright. */
  readonly width: number;
  readonly height: number;
  /** One for each that was wished for, in that order; never larger than what they are made of, drawings aside. */
  readonly thumbnails: readonly ThumbnailFile[];
  /** ThumbHash, base64. */
  readonly placeholder: string;
}

/** Makes of strangers' pictures what can be shown to others, within the limits of `Pictures`. */
export interface PictureDerivatives {
  /**
   * Decodes the picture in `file` once, and writes the thumbnails wished for and, when `original` is given, the picture
   * itself in its own format: upright, in its colours, and without EXIF, GPS, XMP, comments and previews. Its pixels
   * stay as they are unless it has to be turned. Of a TIFF its first page is kept; animations stay animations. A
   * drawing has no `original`.
   *
   * @throws SourceFailure `not_an_image` (not retryable) as `Pictures.examine` does; then nothing was written
   */
  derive(
    file: string,
    targets: { readonly original: string | null; readonly thumbnails: readonly ThumbnailWish[] },
  ): Promise<Preview & PictureFacts>;
}
