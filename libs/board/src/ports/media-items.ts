import type { MediaSources, MediaToProcess, PreparedMedia } from '../domain/media.ts';

/** A media as the API answers it, an object in JSON. */
export type MediaJson = string;

export interface NewMedia extends MediaSources {
  readonly workspaceId: number;
  readonly boardId: number;
  readonly folderId: number | null;
  readonly createdBy: number;
  readonly extras: string | null;
  readonly state: 'created' | 'processed';
  readonly createdAt: Date;
  /** Stored files of the workspace that the sources are, kept for the media from now on. */
  readonly fileIds: readonly number[];
}

/** The media of boards. Adding and removing keeps the board's counts. */
export interface MediaItems {
  /** Says what is missing when the board is not in the workspace, or the folder not on the board. */
  add(
    media: NewMedia,
  ): Promise<{ readonly id: number; readonly json: MediaJson } | { readonly missing: 'board' | 'folder' }>;

  /**
   * Moves those of the media that are on the board.
   *
   * @returns the media that are there, moved; or what is missing
   */
  move(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): Promise<
    readonly { readonly id: number; readonly json: MediaJson }[] | { readonly missing: 'board' | 'folder' }
  >;

  /** Deletes those of the media that are on the board; `null` when the board is not in the workspace. */
  remove(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
  ): Promise<{ readonly ids: readonly number[]; readonly fileIds: readonly number[] } | null>;

  /** Puts a failed media back to `created`, with the next revision; `conflict` when it has not failed. */
  retry(
    workspaceId: number,
    boardId: number,
    id: number,
  ): Promise<{ readonly json: MediaJson; readonly revision: number } | 'not_found' | 'conflict'>;

  /**
   * Puts failed media back to `created`, with their next revision: in the order of their ids, from after `after` on, at
   * most `limit` of them, and only those that failed with `error` unless it is null.
   *
   * @returns which were put back, and after which id to go on; null at the end
   */
  retryFailed(options: {
    readonly error: string | null;
    readonly after: number;
    readonly limit: number;
  }): Promise<{
    readonly retried: readonly { readonly id: number; readonly revision: number }[];
    readonly next: number | null;
  }>;

  /** The media, when it still waits to be processed in this revision and its board is there. */
  toProcess(id: number, revision: number): Promise<MediaToProcess | null>;

  /** Ends the processing of this revision well; false when it does not wait for that any more. */
  finish(id: number, revision: number, prepared: PreparedMedia): Promise<boolean>;

  /** Ends the processing of this revision with an error code; false when it does not wait for that any more. */
  fail(id: number, revision: number, error: string): Promise<boolean>;
}
