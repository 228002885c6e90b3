/** A smaller picture of a media, as a WebP. */
export interface Thumbnail {
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Where a media's picture or video is to be taken from. */
export interface MediaSources {
  readonly url: string | null;
  readonly controlImage: string | null;
}

/** What the worker found out about a media and made of it. */
export interface PreparedMedia {
  readonly url: string | null;
  readonly controlImage: string | null;
  readonly contentType: string | null;
  /** Pixels; `null` for what has none, such as a 3D model. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds, of a video. */
  readonly duration: number | null;
  /** ThumbHash, base64. */
  readonly placeholder: string | null;
  readonly thumbnails: readonly Thumbnail[];
  /** Every stored file that the media needs. */
  readonly fileIds: readonly number[];
}

/** Media with no source has nothing to wait for. */
export function firstState(sources: MediaSources): 'created' | 'processed' {
  return sources.url === null && sources.controlImage === null ? 'processed' : 'created';
}

/** A media whose sources are to be processed: `revision` grows each time that starts anew. */
export interface MediaToProcess extends MediaSources {
  readonly id: number;
  readonly workspaceId: number;
  readonly revision: number;
}
