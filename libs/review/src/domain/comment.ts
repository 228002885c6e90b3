import { DomainError, invalidField, plainTextOf } from '#kernel';
import type { ReviewState } from './decision.ts';
import type { ReviewGuest } from './reviewer.ts';

export const MAX_COMMENT_LENGTH = 4_000;
/** Maximum comments of one media item. */
export const MAX_COMMENTS = 1_000;

/** Position of a comment: the whole item, a point of it, or a moment of a video. */
export type Pin =
  | { readonly kind: 'none' }
  /** From the upper left corner: shares of the width and the height, 0 to 1. */
  | { readonly kind: 'point'; readonly x: number; readonly y: number }
  | { readonly kind: 'moment'; readonly seconds: number };

/** A comment on a media item. A reply belongs to the first comment of its thread. */
export interface Comment {
  readonly id: number;
  readonly mediaId: number;
  /** The first comment of the thread; `null` for that comment itself. */
  readonly parentId: number | null;
  /** User id; `null` for a comment of a guest. */
  readonly createdBy: number | null;
  readonly guest: ReviewGuest | null;
  readonly text: string;
  readonly pin: Pin;
}

/** A media item as far as comments and decisions depend on it. */
export interface ReviewedItem extends ReviewState {
  readonly contentType: string | null;
  /** Seconds; `null` if it has none, or if it is unknown. */
  readonly duration: number | null;
  /** The number of its comments. */
  readonly commentsCount: number;
}

/** @throws DomainError `validation_failed` unless 1 to 4,000 characters are left after trimming */
export function commentTextOf(given: string): string {
  return plainTextOf('text', given, { min: 1, max: MAX_COMMENT_LENGTH });
}

/**
 * The pin of a comment. Each value that is not asked for is `null`.
 *
 * @throws DomainError `validation_failed`
 */
export function pinOf(
  given: { readonly x: number | null; readonly y: number | null; readonly time: number | null },
  { contentType, duration }: Pick<ReviewedItem, 'contentType' | 'duration'>,
): Pin {
  const { x, y, time } = given;
  if (x === null && y === null && time === null) return { kind: 'none' };
  if (time !== null) {
    if (x !== null || y !== null) throw invalidField('time', 'must not be given together with x and y');
    if (!contentType?.startsWith('video/')) throw invalidField('time', 'must be absent: the item is not a video');
    const end = duration ?? Infinity;
    if (!(time >= 0 && time <= end)) throw invalidField('time', `must be within the video, which ends at ${end} s`);
    return { kind: 'moment', seconds: time };
  }
  if (x === null || y === null) throw invalidField(x === null ? 'x' : 'y', 'must be given: a point has x and y');
  for (const [name, value] of [
    ['x', x],
    ['y', y],
  ] as const) {
    if (!(value >= 0 && value <= 1)) throw invalidField(name, 'must be from 0 to 1');
  }
  return { kind: 'point', x, y };
}

/**
 * Checks that an item may have a further comment.
 *
 * @throws DomainError `conflict`
 */
export function checkRoom({ commentsCount }: Pick<ReviewedItem, 'commentsCount'>): void {
  if (commentsCount < MAX_COMMENTS) return;
  throw new DomainError('conflict', `a media item has at most ${MAX_COMMENTS} comments: delete some`);
}

/**
 * The first comment of the thread that a reply joins. Replies have no threads of their own: a reply to a reply joins the
 * same thread.
 *
 * @throws DomainError `validation_failed` for a reply with a pin
 */
export function threadOf(parent: Pick<Comment, 'id' | 'parentId'>, pin: Pin): number {
  if (pin.kind !== 'none') throw invalidField('parent_id', 'must be absent for a comment with x and y, or with time');
  return parent.parentId ?? parent.id;
}
