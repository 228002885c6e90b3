import type { Readable } from 'node:stream';
import type { Look, Mark, Marking, Provenance } from '#files';

/** Fetches untrusted URLs. */
export interface RemoteSources {
  /**
   * Streams `url` into the file `target`: at most `maxBytes`, within a time limit, after at most three redirects. Only a
   * complete response with status 200 succeeds. `TargetPolicy` says which URLs may be fetched.
   *
   * @returns the number of bytes written
   * @throws SourceFailure `url_blocked`, `url_unreachable`, `url_too_large`, `url_timeout`; the signal's reason when
   * it is aborted. On failure `target` does not exist
   */
  fetchToFile(
    url: string,
    target: string,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<number>;
}

/** Facts about a decoded picture. */
export interface PictureFacts {
  /**
   * Detected from the bytes: `image/jpeg`, `image/png`, `image/webp`, `image/gif`, `image/tiff`,
   * `image/svg+xml`.
   */
  readonly contentType: string;
  /** Pixels, after applying the orientation. */
  readonly width: number;
  readonly height: number;
}

/** Mark of a mask's area: white, black, or transparency. */
export type MaskForm = 'white' | 'black' | 'transparent';

/** Pixels of a given mask that are its area: bright ones on black or transparent ground, or transparent ones. */
export type MaskArea = 'bright' | 'transparent';

/** Reads untrusted pictures, within limits of pixels, pages, memory and time. */
export interface Pictures {
  /**
   * Decodes the picture in `file` as far as needed to validate it. Its metadata is removed before decoding.
   *
   * @param bare target file of the picture without metadata except orientation and colour profile; not written for an SVG
   * @throws SourceFailure, not retryable: `picture_too_large`; `not_an_image` for unsupported or damaged files. On failure
   * `bare` does not exist
   */
  examine(file: string, bare?: string): Promise<PictureFacts>;

  /**
   * Renders the SVG in `file` as a PNG in the file `target`: in its proportions, on a transparent ground, large enough as
   * an input of models.
   *
   * @returns the facts of the PNG
   * @throws SourceFailure `not_an_image` (not retryable) as `examine`, and for other pictures than SVG. On failure
   * `target` does not exist
   */
  rasterise(file: string, target: string): Promise<PictureFacts>;

  /**
   * Writes the raster picture in `file` to `target` as trainers of models expect it: upright, in sRGB, without metadata, the
   * longer side at most `edge` pixels; a JPEG, or a PNG if it has transparency. The same file gives the same bytes.
   *
   * @returns the facts of the written picture
   * @throws SourceFailure as `examine`, and `not_an_image` for a drawing. On failure `target` does not exist
   */
  reduce(file: string, target: string, edge: number): Promise<PictureFacts>;

  /**
   * Writes a mask, whose area is bright by default, to `target`: a PNG of the given size and form. The same file gives the
   * same bytes.
   *
   * @returns whether its area is empty: nothing is brighter, or more transparent, than half
   * @throws SourceFailure as `examine`. On failure `target` does not exist
   */
  mask(
    file: string,
    target: string,
    wanted: { readonly width: number; readonly height: number; readonly form: MaskForm; readonly area?: MaskArea },
  ): Promise<{ readonly isEmpty: boolean }>;
}

export interface ThumbnailTarget {
  /** Pixels along the longer side. */
  readonly edge: number;
  /** Path of the thumbnail. */
  readonly file: string;
}

/** A thumbnail in a local file: a WebP in sRGB, upright. */
export interface ThumbnailFile {
  readonly file: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Thumbnails, a placeholder and the look of a picture or a video. */
export interface Preview {
  /** Pixels of the picture or video itself, upright. */
  readonly width: number;
  readonly height: number;
  /**
   * One for each target, in the same order. Only drawings are enlarged: of the targets that a picture fits into without
   * being made smaller, the smallest has the thumbnail.
   */
  readonly thumbnails: readonly ThumbnailFile[];
  /** ThumbHash, base64. */
  readonly placeholder: string;
  readonly look: Look;
}

/** A copy of a file with a mark in its bytes. */
export interface MarkTarget {
  readonly file: string;
  readonly mark: Mark;
}

export interface DerivativeTargets {
  readonly original: string | null;
  readonly thumbnails: readonly ThumbnailTarget[];
  readonly marked?: MarkTarget;
}

/** The result of a look, and what became of the mark of `original` or `marked`; `null` for neither, and without a mark. */
export interface Derived extends Preview, PictureFacts {
  readonly marking: Marking | null;
}

/** Makes pictures to show from untrusted ones, within the limits of `Pictures`. */
export interface PictureDerivatives {
  /**
   * Decodes the picture in `file` once, and writes the thumbnails and what else is given. `original` is the picture itself
   * in its format: upright, in its colours, without EXIF, GPS, comments, previews and XMP but its provenance. The pixels
   * are unchanged unless the picture has to be rotated. A TIFF keeps its first page, an animation all frames. A picture
   * with a signature, which would break, stays whole, unless it has a position. A drawing has no `original`. `marked` is
   * written as by `writeMark`. Thumbnails carry that mark, or else the provenance of the picture.
   *
   * @throws SourceFailure `not_an_image` (not retryable) as `Pictures.examine`. On failure no file is written
   */
  derive(file: string, targets: DerivativeTargets): Promise<Derived>;

  /**
   * Writes a file of any type with a mark to the target, unless it carries a signature or a mark, or its container can't
   * take one: then there is no target. Pixels and frames are unchanged.
   */
  writeMark(file: string, contentType: string, target: MarkTarget): Promise<Marking>;

  /** The provenance in the XMP of a file; `null` when it states no digital source type, or can't be read. */
  findMark(file: string, contentType: string): Promise<Provenance | null>;
}

export interface VideoPreview extends Preview {
  /** Seconds; `null` if unknown. */
  readonly duration: number | null;
}

/** Reads untrusted videos, within limits of pixels, memory and time, one at a time. */
export interface Videos {
  /**
   * Writes thumbnails of a frame near the start of the MP4 or WebM video in `file`, upright and with square pixels. They
   * carry the given mark, or else the provenance of the video.
   *
   * @returns `null` if this machine has no decoder for videos
   * @throws DomainError `unsupported_file_type` for a video that can't be decoded, is incomplete, or exceeds the
   * limits. On failure no file is written
   */
  preview(file: string, thumbnails: readonly ThumbnailTarget[], mark?: Mark): Promise<VideoPreview | null>;
}

/** Temporary space on the local disk. */
export interface TemporaryFolders {
  /**
   * Runs `work` with the path of a new folder, and deletes the folder afterwards. A later start deletes the folders that a
   * crash left.
   */
  use<T>(work: (folder: string) => Promise<T>): Promise<T>;

  /**
   * Writes `bytes` to the file `target`.
   *
   * @throws the error of `bytes`, or the signal's reason when it is aborted
   */
  save(bytes: Readable | Buffer, target: string, signal?: AbortSignal): Promise<void>;

  /** The first `length` bytes of a file, or the whole file if it is shorter. */
  head(file: string, length: number): Promise<Buffer>;

  /** The size of a file in bytes. */
  size(file: string): Promise<number>;

  /** The SHA-256 of a file in hexadecimal digits. */
  sha256(file: string): Promise<string>;
}

/** Contents of the manifest of a file that the service made. */
export interface ManifestFacts {
  /** Value of `digitalSourceType`: a URI of the IPTC. */
  readonly digitalSource: string;
  /** Shown as the title of the file. */
  readonly title: string;
  /** The model that made it; `null` if unknown. */
  readonly model: string | null;
  /** The picture that it was made from, as a local file; `null` for an output. */
  readonly parent: { readonly file: string; readonly contentType: string } | null;
}

/** A C2PA manifest in the bytes of a file. */
export interface FoundManifest {
  /** Name in the signer's certificate; `null` if it can't be read. */
  readonly signer: string | null;
  /** True when the bytes are those that were signed. */
  readonly intact: boolean;
  /** True when the signer's certificate leads to one that the operator trusts. */
  readonly trusted: boolean;
  /** The last `digitalSourceType` that it states; `null` for none. */
  readonly digitalSource: string | null;
}

/** Signed manifests (C2PA) in the bytes of pictures and videos. */
export interface Manifests {
  /** False if the operator wants no signatures: then nothing is signed. */
  readonly signs: boolean;

  /**
   * Writes `file` with a signed manifest to `target`.
   *
   * @returns false, without a target, when it can't be signed: without a usable key, for a type that takes no manifest,
   * for a file that is too large or damaged. Never throws for those
   */
  sign(file: string, target: string, contentType: string, facts: ManifestFacts): Promise<boolean>;

  /** The manifest in the bytes; `null` when there is none that can be read. */
  find(file: string, contentType: string): Promise<FoundManifest | null>;
}
