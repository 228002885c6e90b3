import { p } from '@mikro-orm/postgresql';
import { VERDICTS, type Drawing } from '#review';
import { id, ref, table, time } from './columns.ts';

export const Comment = table('Comment', 'comments', {
  id: id(),
  mediaId: ref(),
  /** The first comment of the thread. */
  parentId: ref().nullable(),
  /** Null for a guest. */
  createdBy: ref().nullable(),
  guestId: ref().nullable(),
  guestName: p.text().nullable(),
  text: p.text(),
  /** A point of the item. */
  x: p.double().$type<number>().nullable(),
  y: p.double().$type<number>().nullable(),
  /** A moment of a video. */
  seconds: p.double().$type<number>().nullable(),
  drawing: p.json<Drawing>().nullable(),
  mentions: p.bigint('number').$type<number[]>().columnType('bigint[]').defaultRaw(`'{}'`),
  createdAt: time(),
  editedAt: time().nullable(),
  resolvedAt: time().nullable(),
  resolvedBy: ref().nullable(),
});

/** Every decision; the latest of an item counts. */
export const Decision = table('Decision', 'decisions', {
  id: id(),
  mediaId: ref(),
  /** Null for a guest. */
  userId: ref().nullable(),
  guestId: ref().nullable(),
  guestName: p.text().nullable(),
  verdict: p.enum(VERDICTS),
  text: p.text().nullable(),
  createdAt: time(),
});

/** Summary of the review of a media item. Items without comments and decisions may have no row. */
export const MediaReview = table('MediaReview', 'media_reviews', {
  mediaId: ref().primary().autoincrement(false),
  decision: p.enum(VERDICTS).defaultRaw(`'none'`),
  commentsCount: p.integer().defaultRaw('0'),
  /** The versions that the item has replaced, the first first. */
  earlier: p.bigint('number').$type<number[]>().columnType('bigint[]').defaultRaw(`'{}'`),
  /** True if a newer version or somebody has closed the request for changes. */
  isClosed: p.boolean().defaultRaw('false'),
});

/** People who look at a board, by process. Rows refer to nothing: they end by time. */
export const BoardLook = table('BoardLook', 'board_looks', {
  boardId: ref().primary().autoincrement(false),
  userId: ref().primary().autoincrement(false),
  process: p.text().primary(),
  confirmedAt: time(),
});

/** Mails of 0.2 about comments and decisions: `inbox_entries` has them. Dropped with 0.4. */
export const ReviewNotice = table('ReviewNotice', 'review_notices', {
  id: id(),
  boardId: ref(),
  userId: ref(),
  commentId: ref().nullable(),
  decisionId: ref().nullable(),
  isTold: p.boolean().default(false),
});

/** Last mails of 0.2 about boards: `inbox_mails` has them. Dropped with 0.4. */
export const ReviewMail = table('ReviewMail', 'review_mails', {
  boardId: ref().primary().autoincrement(false),
  userId: ref().primary().autoincrement(false),
  sentAt: time().nullable(),
  isAnnounced: p.boolean(),
});
