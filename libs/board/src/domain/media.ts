import { canBeSeen, nameOfSource, type StoredFile } from '#files';

/** The source of a media item's picture, video or model: a URL, or the key of a stored file. */
export interface MediaSources {
  readonly url: string | null;
  readonly controlImage: string | null;
}

/** The stored files of a media item, by their keys; the API turns them into URLs. */
export interface MediaFiles {
  readonly fileKey: string | null;
  readonly controlImageKey: string | null;
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

export interface ProcessedMedia extends MediaIdentity, MediaFiles {
  readonly state: 'processed';
}

export interface FailedMedia extends MediaIdentity {
  readonly state: 'failed';
  /** An error code that clients see. */
  readonly error: string;
}

export type Media = CreatedMedia | ProcessedMedia | FailedMedia;

/**
 * State of a new media item. It has to be processed unless it has no sources, or stored ones alone, of which the one
 * that it shows needs no look any more.
 */
export function firstState(
  { url, controlImage }: MediaSources,
  { file, control }: { readonly file: StoredFile | null; readonly control: StoredFile | null },
): 'created' | 'processed' {
  const isFetched = (url !== null && file === null) || (controlImage !== null && control === null);
  const shown = file ?? control;
  return isFetched || (shown && needsLook(shown)) ? 'created' : 'processed';
}

/** The name of the picture that an item shows, or of its source before; `null` for an item without both. */
export function mediaNameOf(item: { readonly name: string | null; readonly source: string | null }): string | null {
  return item.name ?? (item.source && nameOfSource(item.source));
}

/** Reports whether nobody has made thumbnails of a picture or video. */
export function needsLook(file: Pick<StoredFile, 'contentType' | 'thumbnails'>): boolean {
  return canBeSeen(file) && file.thumbnails.length === 0;
}

export function processed(media: CreatedMedia, { fileKey, controlImageKey }: MediaFiles): ProcessedMedia {
  return { ...media, state: 'processed', fileKey, controlImageKey };
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
