import type { MediaSources, PreparedMedia } from '../domain/media.ts';

/** Makes a media ready to be shown. */
export interface MediaPreparation {
  /**
   * Brings the sources into the object storage, pictures upright and without their metadata, and makes thumbnails and
   * a placeholder of the main one (the control image where there is no other).
   *
   * @throws an error with `code`, shown to the client, and `retryable`
   */
  prepare(workspaceId: number, sources: MediaSources, signal: AbortSignal): Promise<PreparedMedia>;
}
