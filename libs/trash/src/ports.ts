import type { Page, PageRequest } from '#kernel';

export const TRASH_KINDS = ['board', 'folder', 'media', 'persona'] as const;
export type TrashKind = (typeof TRASH_KINDS)[number];

/** Something that was deleted and can be restored, with all that went with it. */
export interface TrashEntry {
  readonly id: number;
  readonly kind: TrashKind;
  /** The id of what was deleted. */
  readonly itemId: number;
  /** The board that it was on; null for a board and a persona. */
  readonly boardId: number | null;
  /** Null for a media item. */
  readonly name: string | null;
  /** ThumbHash of a media item's picture in base64, which shows its colours. */
  readonly placeholder: string | null;
  /** User id. */
  readonly deletedBy: number;
  readonly deletedAt: Date;
  /** When it is deleted for good. */
  readonly expiresAt: Date;
}

/** What is brought back and has work to be done. */
export interface Restored {
  /** The folder's place; null for anything else, and at the board's root. */
  readonly parentId: number | null;
  /** Keys of files whose bytes may have to be brought back too. */
  readonly keys: readonly string[];
  /** Media items whose sources are still to be processed. */
  readonly media: readonly { readonly id: number; readonly revision: number }[];
  /** Trainings whose picture is still to be fetched. */
  readonly trainings: readonly { readonly id: number; readonly pictureVersion: number }[];
}

/** The entries of the trash, by workspace, with what was deleted. All but the reads run inside a unit of work. */
export interface TrashStore {
  /** Those that can be restored at `now`, newest first. */
  list(workspaceId: number, now: Date, page: PageRequest): Promise<Page<TrashEntry>>;

  exists(workspaceId: number, entryId: number, now: Date): Promise<boolean>;

  /** Locks an entry that can be restored at `now` until the surrounding unit of work ends. */
  lock(workspaceId: number, entryId: number, now: Date): Promise<TrashEntry | null>;

  /** Whether the folder is deleted in which a folder or a media item was. */
  isFolderDeleted(entry: TrashEntry): Promise<boolean>;

  /** Undoes the deletion of a locked entry, and drops the entry. */
  restore(entry: TrashEntry): Promise<Restored>;

  /** Ends the time in which a locked entry can be restored. */
  expire(entry: TrashEntry, now: Date): Promise<void>;
}

/** What was deleted, with its entry. */
export type DeletedItem = Pick<TrashEntry, 'id' | 'kind' | 'itemId' | 'expiresAt'> & { readonly workspaceId: number };

/** Deletions as the worker carries them out. */
export interface DeletionStore {
  /** Those of these entries that there still are. */
  find(entryIds: readonly number[]): Promise<readonly DeletedItem[]>;

  /** The entry that something was deleted with. */
  findByItem(kind: 'board' | 'persona', itemId: number): Promise<number | null>;

  /** Some entries whose time has ended. */
  expired(now: Date, limit: number): Promise<readonly number[]>;

  /** The ids of the files that what was deleted refers to, or that belong to a deleted persona. */
  filesOf(entryIds: readonly number[]): Promise<readonly number[]>;

  /**
   * Deletes for good up to `limit` of the media items or trainings that were deleted with an entry.
   *
   * @returns false when none were left
   */
  deleteSome(item: DeletedItem, limit: number): Promise<boolean>;

  /**
   * Deletes for good what is left of an entry once its media items, trainings, files and uploads are gone, and the
   * entry. What was deleted earlier from a board goes with it, from a folder it comes to the board's root.
   *
   * @returns false, without effect, while the entry still has files, or a persona files or uploads
   */
  deleteRest(item: DeletedItem): Promise<boolean>;
}
