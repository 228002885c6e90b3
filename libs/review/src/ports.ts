import type { Page, PageRequest } from '#kernel';
import type { Comment, Pin, ReviewedItem } from './domain/comment.ts';
import type { Drawing } from './domain/drawing.ts';
import type { Decision, Verdict } from './domain/decision.ts';
import type { Mentionable } from './domain/mentions.ts';
import type { Authorship } from './domain/reviewer.ts';

/** A media item of a board of a workspace. */
export interface OnBoard {
  readonly workspaceId: number;
  readonly boardId: number;
  readonly mediaId: number;
}

/** Subject of a change of a review. */
export type ReviewKind = 'comment' | 'decision';

export interface NewComment extends Omit<Comment, 'id'> {
  readonly drawing: Drawing | null;
  /** User ids. */
  readonly mentions: readonly number[];
  readonly createdAt: Date;
}

/** Comments and decisions of media items. All changes are made under the lock of the item's board. */
export interface ReviewStore {
  /**
   * Locks the board of the item until the surrounding unit of work ends, and counts as a change of the board, of which
   * its watchers are notified.
   *
   * @returns `null` when the item is not on this board of the workspace
   */
  lockItem(item: OnBoard, kind: ReviewKind): Promise<ReviewedItem | null>;

  /** The comment, unless it is on another item. */
  find(mediaId: number, commentId: number): Promise<Comment | null>;

  /** Authors of the replies to a comment, one for each reply. */
  replies(commentId: number): Promise<readonly Authorship[]>;

  /** Returns the id. */
  add(comment: NewComment): Promise<number>;

  edit(
    comment: Pick<NewComment, 'text' | 'mentions'> & { readonly id: number; readonly editedAt: Date },
  ): Promise<void>;

  /** Removes a comment; the first one of a thread with its replies. */
  remove(comment: Pick<Comment, 'id' | 'mediaId'>): Promise<void>;

  /** @param by the member who resolved the thread; `null` reopens it */
  resolve(commentId: number, by: number | null, at: Date): Promise<void>;

  /** Adds a decision, which counts from now on. Returns the id. */
  decide(decision: Decision & Authorship & { readonly mediaId: number; readonly at: Date }): Promise<number>;

  /** Closes the request for changes of an item. */
  close(mediaId: number): Promise<void>;

  /** The members of the workspace whose accounts exist. */
  members(workspaceId: number): Promise<readonly Mentionable[]>;
}

/** Author of a comment or decision: a member, or a guest, who has no user id. An erased person has no name. */
export interface Author {
  readonly userId: number | null;
  readonly name: string | null;
  /** The guest; `null` for members, and when the guest is no longer known. */
  readonly guest: { readonly id: number; readonly shareId: number } | null;
}

/** The member who resolved a thread. */
export type Resolver = Omit<Author, 'guest'> & { readonly userId: number };

export interface CommentView {
  readonly id: number;
  readonly parentId: number | null;
  readonly author: Author;
  readonly text: string;
  readonly pin: Pin;
  readonly drawing: Drawing | null;
  /** User ids. */
  readonly mentions: readonly number[];
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  /** When the thread was resolved, and by whom; `null` while it is open, and for replies. */
  readonly resolved: { readonly at: Date; readonly by: Resolver } | null;
}

export interface DecisionView extends Decision {
  readonly id: number;
  readonly author: Author;
  readonly createdAt: Date;
}

/** Summary of the review that a media item shows. */
export interface ReviewSummary {
  readonly decision: Verdict;
  /** True if changes are asked for, and nobody has closed the request. */
  readonly isOpen: boolean;
  /** Ids of the versions that it has replaced, the first first. */
  readonly earlier: readonly number[];
  readonly commentsCount: number;
}

/** Reads. */
export interface ReviewViews {
  /** The comments of an item, oldest first; `null` when the item is not on this board of the workspace. */
  comments(item: OnBoard, page: PageRequest): Promise<Page<CommentView> | null>;

  /** One comment; `null` when it is not on this item. */
  comment(item: OnBoard, commentId: number): Promise<CommentView | null>;

  /** The decisions about an item, newest first; `null` as for `comments`. */
  decisions(item: OnBoard, page: PageRequest): Promise<Page<DecisionView> | null>;

  /** One decision; `null` when it is not about this item. */
  decision(item: OnBoard, decisionId: number): Promise<DecisionView | null>;

  /** The summaries of those media items that have comments or decisions, by the item's id. */
  summaries(mediaIds: readonly number[]): Promise<ReadonlyMap<number, ReviewSummary>>;
}

/** A committed change of a board. */
export interface BoardChange {
  /** The new version; `null` once the board is deleted. */
  readonly version: number | null;
  /** The comment or decision that changed the board, by its media item. */
  readonly review: { readonly kind: ReviewKind; readonly mediaId: number } | null;
}

/**
 * Called for each change of a board, and with `presence` when other people look at it. After `missed`, both may be lost
 * and have to be read again.
 */
export type BoardListener = (signal: BoardChange | 'presence' | 'missed') => void;

/** Committed changes of boards, from all processes. */
export interface BoardSignals {
  /**
   * Calls `listener` for every change, in commit order, from when the promise resolves until the returned function is
   * called.
   *
   * @throws DomainError `unavailable` when the subscription fails
   */
  watchBoard(boardId: number, listener: BoardListener): Promise<() => void>;
}

/** A member who looks at a board. */
export interface Onlooker {
  readonly userId: number;
  readonly name: string | null;
}

/** A user who looks at a board. */
export interface Look {
  readonly boardId: number;
  readonly userId: number;
}

/** People who look at boards, from all processes. */
export interface PresenceStore {
  /** Replaces the looks of a process at these boards, and notifies the watchers of each board where they differ. */
  replace(process: string, boardIds: readonly number[], looks: readonly Look[]): Promise<void>;

  /** Forgets looks that their processes have not confirmed for a minute. */
  forget(): Promise<void>;

  /**
   * The members of each board's workspace who look at the board, by name: looks that their processes have confirmed in
   * the last 25 seconds. A board without any is left out.
   */
  people(boardIds: readonly number[]): Promise<ReadonlyMap<number, readonly Onlooker[]>>;
}
