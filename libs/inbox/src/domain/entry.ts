import type { Event } from '#events';
import type { Thumbnail } from '#files';
import type { Verdict } from '#review';
import type { InboxKind } from './news.ts';

/** Maximum entries that are marked at once by id. */
export const MAX_MARKED_ENTRIES = 500;
/** Unread entries are counted up to this number. */
export const MAX_COUNTED = 100;

/** The facts of an entry that one line about it shows, as they are now. */
export interface EntryFacts {
  /** Name of the board, link, batch, style or model. */
  readonly title: string;
  /** Name of the picture that a comment or decision is about; `null` for others. */
  readonly item: string | null;
  /** Name of the member or guest; `null` without one. */
  readonly author: string | null;
  /** Plain text of the comment or the decision. */
  readonly text: string | null;
  readonly verdict: Verdict | null;
  /** The board of the item or of the link; `null` for others. */
  readonly boardId: number | null;
  /** `null` for the board's root. */
  readonly folderId: number | null;
  readonly mediaId: number | null;
  /** The persona of a style. */
  readonly personaId: number | null;
}

/** The numbers of a summary, as a sentence; `null` for other events. */
export function summaryText({ type, data }: Pick<Event, 'type' | 'data'>): string | null {
  if (type !== 'review.summary') return null;
  const { approved, changes_requested: changes, undecided, comments } = data;
  return `${approved} approved, ${changes} to change, ${undecided} undecided, comments: ${comments}`;
}

/** An event in the inbox of a person. */
export interface InboxEntry extends EntryFacts {
  readonly id: number;
  readonly kind: InboxKind;
  readonly createdAt: Date;
  /** `null` for an unread entry. */
  readonly readAt: Date | null;
  readonly event: Event;
  /** Thumbnails of the media item, smallest first. */
  readonly thumbnails: readonly Thumbnail[];
}
