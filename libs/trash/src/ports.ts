import type { Page, PageRequest } from '#kernel';

export const TRASH_KINDS = ['board', 'folder', 'media', 'persona'] as const;
export type TrashKind = (typeof TRASH_KINDS)[number];

/** Something that was deleted and can be restored, with all that went with it. */
export interface TrashEntry {
  readonly id: number;
  readonly kind: TrashKind;
  /** The id that it had, and has again once it is restored. */
  readonly itemId: number;
  /** The board that it was on; null for a board and a persona. */
  readonly boardId: number | null;
  /** Null for a media. */
  readonly name: string | null;
  /** ThumbHash of a media's picture in base64, which shows its colours. */
  readonly placeholder: string | null;
  /** User id. */
  readonly deletedBy: number;
  readonly deletedAt: Date;
  /** When it is deleted for good. */
  readonly expiresAt: Date;
}

/** What is brought back and has work to be done. */
export interface Restored {
  /** The folder's new place; null for anything else, and at the board's root. */
  readonly parentId: number | null;
  /** Object keys of files whose bytes may have to be brought back too. */
  readonly keys: readonly string[];
  /** Media whose sources are still to be processed. */
  readonly media: readonly { readonly id: number; readonly revision: number }[];
  /** Trainings whose picture is still to be fetched. */
  readonly trainings: readonly { readonly id: number; readonly pictureVersion: number }[];
}

/** Why an entry can't be restored: it is not all in the trash yet, its folder is gone, or files of it are. */
export type Obstacle = 'unfinished' | 'folder' | 'files';

/** What was deleted, by workspace. All but the reads must be called inside a unit of work. */
export interface TrashStore {
  list(workspaceId: number, page: PageRequest): Promise<Page<TrashEntry>>;

  exists(workspaceId: number, entryId: number): Promise<boolean>;

  /** Locks an entry that has not expired until the surrounding unit of work ends. */
  lock(workspaceId: number, entryId: number, now: Date): Promise<TrashEntry | null>;

  /** Brings back the rows and the files of a locked entry, and drops it; after an obstacle, roll back. */
  restore(entry: TrashEntry): Promise<Restored | { readonly obstacle: Obstacle }>;

  /**
   * Drops a locked entry for good.
   *
   * @returns its files that no other entry has
   */
  drop(entry: TrashEntry): Promise<readonly number[] | { readonly obstacle: Obstacle }>;
}
