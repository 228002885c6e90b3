import type { Page, PageRequest } from '#kernel';

export const TRASH_KINDS = ['board', 'folder', 'media', 'item', 'persona'] as const;
export type TrashKind = (typeof TRASH_KINDS)[number];

/** A deleted item that can be restored, with everything deleted together with it. */
export interface TrashEntry {
  readonly id: number;
  readonly kind: TrashKind;
  /** The id of the deleted item; for items of the library, the file of the first. */
  readonly itemId: number;
  /** The board of a folder or a media item. */
  readonly boardId: number | null;
  /** Null for a media item without a picture; for items of the library, the name of the first. */
  readonly name: string | null;
  /** How many items of the library were deleted together; 1 for other kinds. */
  readonly count: number;
  /** ThumbHash of the picture in base64, which shows its colours; null for an item without a picture. */
  readonly placeholder: string | null;
  /** User id. */
  readonly deletedBy: number;
  readonly deletedAt: Date;
  /** When the item is purged. */
  readonly expiresAt: Date;
}

/** The result of a restoration, as far as it needs more work. */
export interface Restored {
  /** The parent of a restored folder; null at the board's root, and for other items. */
  readonly parentId: number | null;
  /** Keys of files whose bytes may have to be restored. */
  readonly keys: readonly string[];
  /** Media items with unprocessed sources. */
  readonly media: readonly { readonly id: number; readonly revision: number }[];
  /** Trainings with an unprocessed picture. */
  readonly trainings: readonly { readonly id: number; readonly pictureVersion: number }[];
}

/** The trash of workspaces. Methods other than reads must be called inside a unit of work. */
export interface TrashStore {
  /** The entries that can be restored at `now`, newest first. */
  list(workspaceId: number, now: Date, page: PageRequest): Promise<Page<TrashEntry>>;

  exists(workspaceId: number, entryId: number, now: Date): Promise<boolean>;

  /** Locks an entry that can be restored at `now` until the surrounding unit of work ends. */
  lock(workspaceId: number, entryId: number, now: Date): Promise<TrashEntry | null>;

  /** Reports whether the parent folder of a deleted folder or media item is deleted too. */
  isFolderDeleted(entry: TrashEntry): Promise<boolean>;

  /** Undoes the deletion of a locked entry at `now`, and removes the entry. */
  restore(entry: TrashEntry, now: Date): Promise<Restored>;

  /** Makes a locked entry expire at `now`. */
  expire(entry: TrashEntry, now: Date): Promise<void>;
}

/** A deleted item and its entry. */
export type DeletedItem = Pick<TrashEntry, 'id' | 'kind' | 'itemId' | 'expiresAt'> & { readonly workspaceId: number };

/** The deletions that the worker completes. */
export interface DeletionStore {
  /** The existing entries among these. */
  find(entryIds: readonly number[]): Promise<readonly DeletedItem[]>;

  /** Up to `limit` expired entries. */
  expired(now: Date, limit: number): Promise<readonly number[]>;

  /** The ids of the files that deleted items are or refer to, or that belong to a deleted persona. */
  filesOf(entryIds: readonly number[]): Promise<readonly number[]>;

  /**
   * Purges up to `limit` of the media items, items of the library, trainings or styles that were deleted with an entry.
   *
   * @returns false when none are left
   */
  deleteSome(item: DeletedItem, limit: number): Promise<boolean>;

  /**
   * Purges the item and its entry, once its media items, trainings, styles, files and uploads are gone. Items that were deleted
   * earlier from a board are purged with it; items deleted earlier from a folder move to the board's root.
   *
   * @returns false, without effect, while the entry still has files, or the persona files or uploads
   */
  deleteRest(item: DeletedItem): Promise<boolean>;
}
