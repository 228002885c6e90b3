import type { Preview, ThumbnailWish } from './picture-derivatives.ts';

export interface VideoPreview extends Preview {
  /** Seconds; `null` when the video doesn't say. */
  readonly duration: number | null;
}

/** Reads videos that strangers made, within limits of pixels, memory and time, one at a time. */
export interface Videos {
  /**
   * Decodes the MP4 video in `file` up to a frame near its start that tells what it shows, and writes the thumbnails of
   * that frame wished for, as it is to be watched: upright and with square pixels.
   *
   * @returns `null` when this machine has nothing to read videos with
   * @throws DomainError `unsupported_file_type` for what can't be decoded, breaks off, or is over the limits; then
   * nothing was written
   */
  preview(file: string, thumbnails: readonly ThumbnailWish[]): Promise<VideoPreview | null>;
}
