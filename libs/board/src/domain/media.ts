/** The source of a media item's picture, video or model: a URL, or the key of a stored file. */
export interface MediaSources {
  readonly url: string | null;
  readonly controlImage: string | null;
}

/** A smaller picture of a media item, a stored WebP. */
export interface Thumbnail {
  readonly key: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** What a media item shows. Files are given by their storage keys; the API turns them into URLs. */
export interface MediaContent {
  readonly fileKey: string | null;
  readonly controlImageKey: string | null;
  readonly contentType: string | null;
  /** Pixels; `null` for a file without pixels, such as a 3D model. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds, of a video. */
  readonly duration: number | null;
  /** ThumbHash, base64. */
  readonly placeholder: string | null;
  readonly thumbnails: readonly Thumbnail[];
}

interface MediaIdentity {
  readonly id: number;
  readonly boardId: number;
  readonly workspaceId: number;
  readonly sources: MediaSources;
  /** Grows each time processing restarts. */
  readonly revision: number;
}

/** Waiting to be processed. */
export interface CreatedMedia extends MediaIdentity {
  readonly state: 'created';
}

export interface ProcessedMedia extends MediaIdentity {
  readonly state: 'processed';
  readonly content: MediaContent;
}

export interface FailedMedia extends MediaIdentity {
  readonly state: 'failed';
  /** An error code that clients see. */
  readonly error: string;
}

export type Media = CreatedMedia | ProcessedMedia | FailedMedia;

/** A media item without sources needs no processing. */
export function firstState(sources: MediaSources): 'created' | 'processed' {
  return sources.url === null && sources.controlImage === null ? 'processed' : 'created';
}

export function processed(media: CreatedMedia, content: MediaContent): ProcessedMedia {
  return { ...media, state: 'processed', content };
}

/** An error without a code for clients becomes `internal_error`. */
export function failed(media: CreatedMedia, error: unknown): FailedMedia {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return { ...media, state: 'failed', error: typeof code === 'string' ? code : 'internal_error' };
}

export function retried(media: FailedMedia): CreatedMedia {
  const { id, boardId, workspaceId, sources } = media;
  return { id, boardId, workspaceId, sources, revision: media.revision + 1, state: 'created' };
}
