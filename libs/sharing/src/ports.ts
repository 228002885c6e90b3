import type { ZippedFile } from '#download';
import type { FileAccess } from '#files';
import type { TokenHash } from '#identity';
import type { Page, PageRequest } from '#kernel';
import type { Guest, Overlay, Share, SharedItems, SharedState, ShareTerms } from './domain/share.ts';
import type { ReviewCounts } from './domain/review-summary.ts';
import type { SharedItem } from './domain/shared-item.ts';

export interface NewShare extends ShareTerms {
  readonly workspaceId: number;
  readonly createdBy: number;
  readonly items: SharedItems;
  readonly hash: TokenHash;
  readonly createdAt: Date;
}

export type ShareChanges = Partial<ShareTerms> & { readonly passwordVersion?: number };

/** Links. Methods other than reads must be called inside a unit of work. */
export interface ShareStore {
  /** The name of what is to be shared; `null` when some of it is not in the workspace. It can't be purged until the unit of work ends. */
  nameOf(workspaceId: number, items: SharedItems): Promise<string | null>;

  /** Returns the id. */
  add(share: NewShare): Promise<number>;

  /** The link, locked until the surrounding unit of work ends; `null` when it is not in the workspace. */
  lock(workspaceId: number, id: number): Promise<Share | null>;

  /** As `lock`: all links that a user has made. */
  lockOf(userId: number): Promise<readonly Share[]>;

  update(id: number, changes: ShareChanges): Promise<void>;

  /** Deletes the link with its guests and its pictures; comments of guests stay. */
  delete(id: number): Promise<void>;
}

/** A link as members see it. */
export interface ShareView extends Omit<Share, 'passwordVersion'> {
  /** The number of media items that guests see now. */
  readonly mediaCount: number;
  readonly createdAt: Date;
  readonly createdByName: string | null;
  readonly openedCount: number;
  readonly lastOpenedAt: Date | null;
  /** Guests with a name; the latest first, 100 at most. */
  readonly openedBy: readonly ShareVisit[];
}

export interface ShareVisit {
  readonly name: string;
  readonly openedCount: number;
  readonly lastOpenedAt: Date;
}

/** Reads of members. */
export interface ShareViews {
  /**
   * The links of the workspace, newest first.
   *
   * @param filter.boardId only links that show something of this board
   * @param filter.createdBy only links of this user
   */
  list(
    workspaceId: number,
    filter: { readonly boardId: number | null; readonly createdBy: number | null },
    page: PageRequest,
  ): Promise<Page<ShareView>>;

  find(workspaceId: number, id: number): Promise<ShareView | null>;
}

/** The guests of links. Methods other than reads must be called inside a unit of work. */
export interface GuestStore {
  /** The link with this token. */
  findShare(hash: TokenHash): Promise<(Share & SharedState & FileAccess) | null>;

  /** As `findShare`, by id; it can't be changed or deleted until the surrounding unit of work ends. */
  lockShare(id: number): Promise<(Share & SharedState) | null>;

  find(shareId: number, hash: TokenHash): Promise<Guest | null>;

  /** Adds a guest, who has opened the link once; above `limit` guests of a link, the one that looked longest ago is forgotten. Returns the guest. */
  add(guest: Omit<Guest, 'id'> & { readonly hash: TokenHash; readonly at: Date }, limit: number): Promise<Guest>;

  /** Saves name and password version of a guest, who has another cookie from now on. */
  update(guest: Guest, hash: TokenHash): Promise<void>;

  /** Counts that a link was opened, by this guest if there is one. */
  countOpening(shareId: number, guestId: number | null, at: Date): Promise<void>;
}

export interface SharedFolder {
  readonly id: number;
  /** `null` at the root of what is shared. */
  readonly parentId: number | null;
  readonly name: string;
}

/** Reads what a link shows. Items that are not processed have nothing to show. */
export interface SharedContents {
  folders(share: Share): Promise<readonly SharedFolder[]>;

  /** A page of the items, in the order of the board; with `folderId`, only of that folder (`null`: of the root of what is shared). */
  items(share: Share, filter: { readonly folderId?: number | null }, page: PageRequest): Promise<Page<SharedItem>>;

  /** The versions of an item, which may be any of them, newest first; none when the link does not show it. */
  versions(share: Share, mediaId: number): Promise<readonly SharedItem[]>;

  /** One version of an item; `null` when the link does not show the item. */
  item(share: Share, mediaId: number): Promise<SharedItem | null>;

  /**
   * Locks the board of the item until the surrounding unit of work ends: nothing is moved or deleted there.
   *
   * @returns the id of the board; `null` when the link does not show the item
   */
  lockBoard(share: Share, mediaId: number): Promise<number | null>;

  /** The decisions about the items, and the comments of a guest. */
  review(share: Share, guestId: number): Promise<ReviewCounts>;

  /** The files of a zip, at most `limit`: originals, or with a text over them the marked pictures, of which some are not made. */
  files(share: Share, mediaIds: readonly number[] | null, limit: number): Promise<readonly SharedFile[]>;
}

/** A file of a zip for guests. */
export interface SharedFile extends ZippedFile {
  readonly mediaId: number;
  /** As of `SharedItem`. */
  readonly digitalSource: string | null;
}

/** An item of which guests get copies that are not made: without texts the clip of a video that may not be downloaded. */
export interface ItemToMark extends Overlay {
  readonly shareId: number;
  readonly mediaId: number;
  readonly workspaceId: number;
  /** The stored picture to mark: the original, or the largest thumbnail of another file; `null` if there is none. */
  readonly source: { readonly key: string; readonly contentType: string } | null;
  /** The key of a stored video. */
  readonly videoKey: string | null;
}

/** Files that are made of an item; `null` where nothing could be made. */
export interface MadeCopies {
  readonly pictureId: number | null;
  readonly clipId: number | null;
}

/**
 * Copies for guests: pictures with the watermark and the label of the link, and clips of videos. Methods other than reads
 * must be called inside a unit of work.
 */
export interface MarkedPictureStore {
  /**
   * Records that copies of these items are requested, if guests of the link get copies; its terms stay until the unit of
   * work ends. Returns the items for which they were not requested before.
   */
  request(shareId: number, mediaIds: readonly number[]): Promise<readonly number[]>;

  /** The newest items of a link for which no pictures are requested yet; at most `limit`. */
  unrequested(share: Share, limit: number): Promise<readonly number[]>;

  /** The items whose copies are requested and not made; deleted items and those that are shown as they are are left out. */
  waiting(shareId: number, mediaIds: readonly number[]): Promise<readonly ItemToMark[]>;

  /** Saves the copies, unless they are not waited for any more: then false, without effect. */
  save(item: ItemToMark, made: MadeCopies): Promise<boolean>;

  /** Pictures that are requested and not made, without a job that makes them; at most `limit`. */
  withoutJob(limit: number): Promise<readonly Pick<ItemToMark, 'shareId' | 'mediaId' | 'workspaceId'>[]>;

  /**
   * Forgets the copies of these items that are requested and not made, as the items are deleted or shown as they are:
   * guests who see them again want them anew.
   */
  forgetUnrequested(shareId: number, mediaIds: readonly number[]): Promise<void>;

  /** Forgets the pictures of a link, as its watermark or label has changed. The sweep deletes their files. */
  forget(shareId: number): Promise<void>;
}

/** Makes videos of lower rate. */
export interface Clips {
  /**
   * Writes the MP4 or WebM video in `file` to `target` as an MP4 of at most 960 pixels, upright, with the texts over each
   * frame. Sound in AAC, MP3 or Opus is kept. The clip carries the mark of the video, or else of `poster`,
   * a WebP.
   *
   * @returns whether it is written; false on a machine without an encoder
   * @throws SourceFailure not retryable for a video that can't be read, or takes more than 300 s of processor time. On
   *   failure `target` does not exist
   */
  clip(file: string, target: string, overlay: Overlay, poster?: string | null): Promise<boolean>;
}

/** Marks pictures. */
export interface Watermarks {
  /**
   * Writes the picture in `file` to `target` as a WebP, upright, without metadata but its provenance, with the watermark
   * tiled over it, 30 % opaque, and the label in its bottom right corner: white on a dark ground.
   * An animation keeps its first frame.
   *
   * @throws SourceFailure as `Pictures.examine`. On failure `target` does not exist
   */
  mark(file: string, target: string, overlay: Overlay): Promise<{ readonly width: number; readonly height: number }>;
}
