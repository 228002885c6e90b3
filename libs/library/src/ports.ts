import type { Deletion, FileOrigin, Picture } from '#files';
import type { CustomData } from '#kernel';
import type { DeletableItem } from './domain/deletion.ts';
import type { LibraryCursor, LibraryFilter } from './domain/filter.ts';
import type { ItemKind } from './domain/item.ts';
import type { SavedSearch } from './domain/saved-search.ts';

/** An item of the library as it is shown. */
export interface LibraryItem extends Picture, CustomData {
  readonly fileId: number;
  readonly kind: ItemKind;
  readonly origin: FileOrigin;
  readonly filename: string;
  readonly prompt: string | null;
  readonly model: string | null;
  readonly personaId: number | null;
  readonly generationId: number | null;
  /** The batch of its generation. */
  readonly batchId: number | null;
  readonly tags: readonly string[];
  readonly rating: number;
  /** Cells of its dominant colours; empty until they are known. */
  readonly colors: readonly number[];
  readonly createdAt: Date;
}

/** Items of a search; a page may have fewer than it could, and yet not be the last. */
export interface LibraryPage {
  readonly items: readonly LibraryItem[];
  readonly next: LibraryCursor | null;
}

export interface TagCount {
  readonly tag: string;
  /** At most `MAX_TAG_COUNT`. */
  readonly items: number;
}

/** More items of a tag are not counted. */
export const MAX_TAG_COUNT = 100;

/** Reads. Deleted and temporary files are in none of them, nor is anything of other workspaces. */
export interface LibraryViews {
  /**
   * Items that match all of the filter. Colours and likeness are compared with the newest `COMPARED_ITEMS`; relevance of
   * words is compared among 500 items at a time, newest first.
   *
   * @throws DomainError `not_found` when the file that items shall be like is none; `validation_failed` for a cursor of
   * another order
   */
  search(
    workspaceId: number,
    filter: LibraryFilter,
    page: { readonly limit: number; readonly after: LibraryCursor | null },
  ): Promise<LibraryPage>;

  item(workspaceId: number, fileId: number): Promise<LibraryItem | null>;

  /** Ids of the items with these keys, by key. */
  ids(workspaceId: number, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /** Pictures of the files with these keys that callers see, also of files that are no items any more. */
  pictures(workspaceId: number, keys: readonly string[]): Promise<readonly Picture[]>;

  /** Tags of at least one item that begin with `prefix`, in order, after the tag `after`. */
  tags(workspaceId: number, prefix: string, limit: number, after: string | null): Promise<readonly TagCount[]>;
}

export interface MarkedItem {
  readonly fileId: number;
  readonly tags: readonly string[];
  readonly rating: number;
}

/** Tags and ratings of items. */
export interface LibraryMarks {
  /** The given items that callers see, locked until the unit of work ends, so that no change is lost. */
  lock(workspaceId: number, fileIds: readonly number[]): Promise<readonly MarkedItem[]>;

  /** Saves tags and ratings of locked items. */
  save(workspaceId: number, items: readonly MarkedItem[]): Promise<void>;
}

/** Deletions of items. */
export interface LibraryDeletions {
  /** The given items that callers see, by id, locked until the unit of work ends. */
  lock(workspaceId: number, fileIds: readonly number[]): Promise<readonly DeletableItem[]>;

  /**
   * Deletes locked items, at least one, with their thumbnails. A file that something else refers to stays for that.
   *
   * @returns the entry of the trash
   */
  delete(workspaceId: number, items: readonly DeletableItem[], deletion: Deletion): Promise<number>;
}

/** The items of files that are older than the library. */
export interface LibraryWork {
  /**
   * Adds the next older files, of those that were there before the library was, or that an older process has added, and
   * has those looked at that nobody has looked at.
   *
   * @returns how many files were looked at; 0 when nothing is left for now
   */
  addOlder(now: Date, limit: number): Promise<number>;
}

export type NewSavedSearch = Omit<SavedSearch, 'id'> & { readonly workspaceId: number };

/** Saved searches. The name of a search is unique in its workspace. */
export interface SavedSearchStore {
  /** The first ones by name, at most `limit`; only those after the name `after`, which is empty for the first. */
  list(workspaceId: number, limit: number, after: string): Promise<readonly SavedSearch[]>;

  /** How many a person has saved. */
  countOf(workspaceId: number, userId: number): Promise<number>;

  /** @throws DomainError `conflict` when the name is taken */
  add(search: NewSavedSearch): Promise<SavedSearch>;

  /** Locked until the surrounding unit of work ends. */
  lock(workspaceId: number, id: number): Promise<SavedSearch | null>;

  /** @throws DomainError `conflict` when the name is taken */
  save(search: SavedSearch): Promise<void>;

  delete(id: number): Promise<void>;
}
