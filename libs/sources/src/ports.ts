import type { Readable } from 'node:stream';

/** The only way by which the service fetches from an address that it was given. */
export interface RemoteSources {
  /**
   * Fetches `url` into the file `target`, streaming. Only http and https to public addresses, at most `maxBytes`,
   * within the total time limit, through at most three redirects. Only a complete response with status 200 counts.
   *
   * @returns the number of bytes written
   * @throws SourceFailure `url_blocked`, `url_unreachable`, `url_too_large`, `url_timeout`; the signal's reason when
   * it is aborted. `target` is then deleted
   */
  fetchToFile(
    url: string,
    target: string,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<number>;
}

/** Facts about a picture, known once it was decoded. */
export interface PictureFacts {
  /**
   * By magic number, never by name: `image/jpeg`, `image/png`, `image/webp`, `image/gif`, `image/tiff`,
   * `image/svg+xml`.
   */
  readonly contentType: string;
  /** Pixels, after applying the orientation. */
  readonly width: number;
  readonly height: number;
}

/** Reads untrusted pictures, within limits of pixels, pages, memory and time. */
export interface Pictures {
  /**
   * Decodes the picture in `file` as far as needed to be sure that it is one. No decoder sees its metadata.
   *
   * @param bare gets the picture without metadata but orientation and colour profile; not written for an SVG
   * @throws SourceFailure, not retryable: `picture_too_large` for more pixels, pages or memory than a picture may have;
   * `not_an_image` for anything that is no supported picture or can't be decoded; there is then no `bare`
   */
  examine(file: string, bare?: string): Promise<PictureFacts>;

  /**
   * Draws the SVG picture in `file` as a PNG in the file `target`: in its proportions, on a transparent ground, large
   * enough to work with.
   *
   * @returns the facts of the PNG
   * @throws SourceFailure `not_an_image` (not retryable) as `examine` does, and for a picture that is no SVG; there is
   * then no `target`
   */
  rasterise(file: string, target: string): Promise<PictureFacts>;
}

export interface ThumbnailTarget {
  /** Pixels along the longer side. */
  readonly edge: number;
  /** Where the thumbnail is to be written. */
  readonly file: string;
}

/** A smaller picture in a file of this machine: a WebP in sRGB, upright. */
export interface ThumbnailFile {
  readonly file: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Thumbnails and a placeholder of a picture or a video. */
export interface Preview {
  /** Pixels of the picture or video itself, upright. */
  readonly width: number;
  readonly height: number;
  /** One for each target, in that order; never larger than the source, drawings aside. */
  readonly thumbnails: readonly ThumbnailFile[];
  /** ThumbHash, base64. */
  readonly placeholder: string;
}

/** Makes pictures that can be shown from untrusted ones, within the limits of `Pictures`. */
export interface PictureDerivatives {
  /**
   * Decodes the picture in `file` once, and writes the thumbnails and, when `original` is given, the picture itself in
   * its own format: upright, in its colours, and without EXIF, GPS, XMP, comments and previews. Its pixels stay as they
   * are unless it has to be turned. Of a TIFF its first page is kept; animations stay animations. A drawing has no
   * `original`.
   *
   * @throws SourceFailure `not_an_image` (not retryable) as `Pictures.examine` does; nothing is then written
   */
  derive(
    file: string,
    targets: { readonly original: string | null; readonly thumbnails: readonly ThumbnailTarget[] },
  ): Promise<Preview & PictureFacts>;
}

export interface VideoPreview extends Preview {
  /** Seconds; `null` when the video doesn't say. */
  readonly duration: number | null;
}

/** Reads untrusted videos, within limits of pixels, memory and time, one at a time. */
export interface Videos {
  /**
   * Decodes the MP4 or WebM video in `file` up to a characteristic frame near its start, and writes thumbnails of that
   * frame, upright and with square pixels.
   *
   * @returns `null` when this machine has no program to read videos with
   * @throws DomainError `unsupported_file_type` for a video that can't be decoded, is incomplete, or exceeds the
   * limits; nothing is then written
   */
  preview(file: string, thumbnails: readonly ThumbnailTarget[]): Promise<VideoPreview | null>;
}

/** Temporary space on this machine. */
export interface TemporaryFolders {
  /**
   * Runs `work` with the path of an empty folder of its own, and deletes the folder afterwards, whatever the result.
   * Folders left behind by a crash are deleted at a later start.
   */
  use<T>(work: (folder: string) => Promise<T>): Promise<T>;

  /**
   * Writes `bytes` to the file `target`.
   *
   * @throws the error of `bytes`, or the signal's reason when it is aborted
   */
  save(bytes: Readable, target: string, signal?: AbortSignal): Promise<void>;

  /** The first bytes of a file: `length` of them, or the whole file. */
  head(file: string, length: number): Promise<Buffer>;

  /** Of a file, in bytes. */
  size(file: string): Promise<number>;

  /** Of the bytes of a file, in hexadecimal digits. */
  sha256(file: string): Promise<string>;
}
