/** Where a media's picture, video or model comes from: a URL, or the key of a stored file. */
export interface MediaSources {
  readonly url: string | null;
  readonly controlImage: string | null;
}

/** A smaller picture of a media, a stored WebP. */
export interface Thumbnail {
  readonly key: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** What a media shows. Files are named by their keys in the storage; the API makes URLs of them. */
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
  /** Grows each time the processing starts anew. */
  readonly revision: number;
}

/** Waits to be processed. */
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

/** A media without sources has nothing to wait for. */
export function firstState(sources: MediaSources): 'created' | 'processed' {
  return sources.url === null && sources.controlImage === null ? 'processed' : 'created';
}

export function processed(media: CreatedMedia, content: MediaContent): ProcessedMedia {
  return { ...media, state: 'processed', content };
}

/** An error that has no code for clients is an internal one. */
export function failed(media: CreatedMedia, error: unknown): FailedMedia {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return { ...media, state: 'failed', error: typeof code === 'string' ? code : 'internal_error' };
}

export function retried(media: FailedMedia): CreatedMedia {
  const { id, boardId, workspaceId, sources } = media;
  return { id, boardId, workspaceId, sources, revision: media.revision + 1, state: 'created' };
}
