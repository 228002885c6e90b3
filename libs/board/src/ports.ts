import type { Deletion, Picture } from '#files';
import type { CustomData, Page, PageRequest } from '#kernel';
import type { Board, Deleted, Folder } from './domain/board.ts';
import type { Note } from './domain/note.ts';
import type { MediaSort, Placed } from './domain/order.ts';
import type { MediaPlace } from './domain/version.ts';
import type { CreatedMedia, FailedMedia, Media, MediaFiles, MediaSources, ProcessedMedia } from './domain/media.ts';

export interface NewBoard extends Pick<Board, 'name' | 'createdAt' | keyof CustomData> {
  readonly workspaceId: number;
  readonly createdBy: number;
}

/** A change of the given fields. */
export type BoardChange = Partial<Pick<Board, 'name' | keyof CustomData>>;

export interface NewFolder extends Omit<Folder, 'id'> {
  readonly boardId: number;
  readonly createdAt: Date;
}

/** The numbers of deleted folders and media items, and their trash entry. */
interface DeletedWithEntry {
  readonly deleted: Deleted;
  readonly entryId: number;
}

/** The boards of workspaces. Methods return `null` for a board that does not exist or is in another workspace. */
export interface BoardStore {
  add(board: NewBoard): Promise<Board>;

  /** Undefined fields stay as they are. */
  update(workspaceId: number, boardId: number, change: BoardChange): Promise<Board | null>;

  /** Deletes the board with everything on it. */
  delete(
    workspaceId: number,
    boardId: number,
    deletion: Deletion,
  ): Promise<(DeletedWithEntry & Pick<Board, 'name'>) | null>;
}

/** The folders of a board. Decisions that depend on other folders are made under the board's lock. */
export interface FolderStore {
  /**
   * Locks the board until the surrounding unit of work ends, and counts as a change of it. False when the board does
   * not exist or is in another workspace.
   */
  lock(workspaceId: number, boardId: number): Promise<boolean>;

  /**
   * Reads what `checkPlacement` needs: the folders from the root down to `parentId`, and the levels of `folderId` with
   * the folders below it (1 for `null`).
   */
  survey(
    boardId: number,
    parentId: number | null,
    folderId: number | null,
  ): Promise<{ readonly path: readonly number[]; readonly height: number } | { readonly missing: 'parent' | 'folder' }>;

  add(folder: NewFolder): Promise<Folder>;

  /** Undefined fields stay as they are. `null` when the folder is not on the board. */
  update(
    boardId: number,
    folderId: number,
    change: { readonly name?: string; readonly parentId?: number | null },
  ): Promise<Folder | null>;

  /** Deletes the folder, the folders below it and their media; `null` when it is not on the board. */
  delete(workspaceId: number, boardId: number, folderId: number, deletion: Deletion): Promise<DeletedWithEntry | null>;
}

/** A media item in responses, with the picture that it shows: of its file, or else of its control image. */
export interface MediaView extends MediaFiles, Omit<Picture, 'key' | 'name' | 'contentType'> {
  readonly id: number;
  /** Name of the picture; `null` while there is no file. */
  readonly name: string | null;
  /** The URL, or the key of the stored file, that the item was added with; or else that of its control image. */
  readonly source: string | null;
  readonly folderId: number | null;
  /** Place among the items of the folder, the lowest first. */
  readonly place: number;
  /** Rating and tags of its picture in the library; 0 and none without one. */
  readonly rating: number;
  readonly tags: readonly string[];
  readonly extras: string | null;
  readonly state: Media['state'];
  readonly error: string | null;
  /** `null` while there is no file. */
  readonly contentType: string | null;
  readonly createdAt: Date;
}

export interface NewMedia extends MediaSources, Pick<MediaView, 'folderId' | 'extras' | 'createdAt'> {
  readonly workspaceId: number;
  readonly boardId: number;
  readonly createdBy: number;
  /** The sources of a processed item are keys of stored files. */
  readonly state: 'created' | 'processed';
  /** The place that it takes; absent for one of its own. */
  readonly replaces?: Pick<MediaPlace, 'id' | 'place'> | null;
  /** The stored files that the item refers to. */
  readonly fileIds: readonly number[];
}

/** The board is not in the workspace, or the folder not on the board. */
interface Missing {
  readonly missing: 'board' | 'folder';
}

/**
 * The media items of boards. A place of a board has one item, its newest version; those that it replaced are moved and deleted
 * with it, and are no items otherwise. Adding and removing updates the board's counts; every change is a change of the board.
 */
export interface MediaStore {
  add(media: NewMedia): Promise<MediaView | Missing>;

  /** The place of a media item; no version is added to it until the surrounding unit of work ends. `null` when it is not on the board. */
  lockPlace(workspaceId: number, boardId: number, id: number): Promise<MediaPlace | null>;

  /**
   * Moves the given media items of the board, within a unit of work. In another folder they lose the place that people gave
   * them. Returns the items found.
   */
  move(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): Promise<readonly MediaView[] | Missing>;

  /** Deletes the given media items, each with a trash entry; `null` when the board is not in the workspace. */
  delete(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    deletion: Deletion,
  ): Promise<{ readonly ids: readonly number[]; readonly entryIds: readonly number[] } | null>;

  find(workspaceId: number, boardId: number, id: number): Promise<Media | null>;

  /** The media item, while it waits to be processed in this revision. */
  waiting(id: number, revision: number): Promise<CreatedMedia | null>;

  /** Ends the processing; false, without effect, unless the stored item still waits in the same revision. */
  end(media: ProcessedMedia | FailedMedia, fileIds: readonly number[]): Promise<boolean>;

  /** Saves a retried item; `null`, without effect, unless the stored item has failed in the previous revision. */
  restart(media: CreatedMedia): Promise<MediaView | null>;

  /**
   * Retries failed media items by id: at most `limit` with ids after `after`; unless `error` is null, only items that
   * failed with this code.
   *
   * @returns the retried items, and the id to continue after; `null` at the end
   */
  retryFailed(options: {
    readonly error: string | null;
    readonly after: number;
    readonly limit: number;
  }): Promise<{
    readonly retried: readonly Pick<Media, 'id' | 'revision' | 'workspaceId'>[];
    readonly next: number | null;
  }>;
}

/** The order of the media items and notes of folders, under the board's lock. */
export interface PlaceStore {
  /** The folders of the given media items of the board, `null` for the root; items that are not on it are absent. */
  foldersOf(boardId: number, mediaIds: readonly number[]): Promise<ReadonlyMap<number, number | null>>;

  /** The items of a folder, or of the root for `null`, in their order. */
  order(boardId: number, folderId: number | null): Promise<readonly Placed[]>;

  /** Saves places. Items that do not exist are left out. */
  save(places: readonly Placed[]): Promise<void>;
}

/** The notes of boards, under the board's lock. */
export interface NoteStore {
  add(note: Omit<Note, 'id'>): Promise<Note>;

  find(boardId: number, id: number): Promise<Note | null>;

  save(note: Note): Promise<void>;

  /** False when the note is not on the board. */
  remove(boardId: number, id: number): Promise<boolean>;
}

export interface FolderWithMedia extends Folder {
  /** Newest first. */
  readonly media: readonly MediaView[];
}

/** A folder with its direct children. */
export interface FolderView {
  readonly folder: Folder;
  readonly folders: readonly (Folder & { readonly foldersCount: number; readonly mediaCount: number })[];
  readonly media: Page<MediaView>;
}

/** A board with everything on it, in one consistent snapshot. */
export interface WholeBoard extends Board {
  /** Grows with each change of the board. */
  readonly version: number;
  readonly folders: readonly Folder[];
  /** Newest first. */
  readonly media: readonly MediaView[];
  /** Oldest first. */
  readonly notes: readonly Note[];
}

/** Media items that are listed, and their order. Absent properties do not restrict. */
export interface MediaFilter {
  /** `null` for the root. */
  readonly folderId?: number | null;
  /** Words that the library finds its picture by. */
  readonly text?: string;
  /** All of them. */
  readonly tags?: readonly string[];
  /** Its latest decision; `open` for a request for changes that nobody has closed. */
  readonly decision?: 'approved' | 'changes_requested' | 'none' | 'open';
  /** Default: `newest`. */
  readonly sort?: MediaSort;
}

/** Reads boards. A board that does not exist or is in another workspace is `null`. */
export interface BoardViews {
  /**
   * The boards of the workspace, newest first.
   *
   * @param search only boards whose name contains it, ignoring case
   */
  /** @param only the part of the name, and the customer, of the boards that are listed */
  boards(
    workspaceId: number,
    page: PageRequest,
    only?: { readonly search?: string | undefined; readonly customer?: string | undefined },
  ): Promise<Page<Board>>;

  board(workspaceId: number, boardId: number): Promise<WholeBoard | null>;

  /** The `version` that `board` would return. */
  version(workspaceId: number, boardId: number): Promise<number | null>;

  /** The versions of those boards that exist, of any workspace. */
  versions(boardIds: readonly number[]): Promise<ReadonlyMap<number, number>>;

  /** The folders, newest first, each with its media items. */
  folders(workspaceId: number, boardId: number, page: PageRequest): Promise<Page<FolderWithMedia> | null>;

  /** One folder: its subfolders with their counts, and a page of its media items. */
  folder(workspaceId: number, boardId: number, folderId: number, page: PageRequest): Promise<FolderView | null>;

  /** A media item, or a version that it has replaced. */
  item(workspaceId: number, boardId: number, mediaId: number): Promise<MediaView | null>;

  /** All versions of a media item, which may be any of them, newest first; none when it is not on the board. */
  versionsOf(workspaceId: number, boardId: number, mediaId: number): Promise<readonly MediaView[]>;

  /**
   * A page of the board's media items. It begins after the item of the cursor, where that stands by now.
   *
   * @throws DomainError `validation_failed` for a cursor of an item that is deleted for good, if the page is not by id
   */
  media(workspaceId: number, boardId: number, filter: MediaFilter, page: PageRequest): Promise<Page<MediaView> | null>;

  /** Reports whether there is such a thing on any board of the workspace. */
  exists(kind: 'board' | 'folder' | 'media' | 'note', workspaceId: number, id: number): Promise<boolean>;
}
