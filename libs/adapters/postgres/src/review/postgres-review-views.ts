import { pageOf, type Page, type PageRequest } from '#kernel';
import {
  isOpenRequest,
  type Author,
  type CommentView,
  type DecisionView,
  type OnBoard,
  type ReviewSummary,
  type ReviewViews,
} from '#review';
import { boardOf } from '../board/postgres-boards.ts';
import type { Database } from '../database.ts';
import {
  anyOf,
  build,
  pageValues,
  prepared,
  type PageValues,
  type Param,
  type Prepared,
  type RowOf,
} from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';
import { pinOf } from './postgres-reviews.ts';

export class PostgresReviewViews implements ReviewViews {
  constructor(private readonly database: Database) {}

  async comments(item: OnBoard, page: PageRequest): Promise<Page<CommentView> | null> {
    const values = { ...item, after: page.after ?? 0, limit: pageValues(page).limit };
    const rows = await this.#ofItem(selectComments, values);
    return rows && pageOf(rows.map(toComment), page.limit, ({ id }) => id);
  }

  async comment(item: OnBoard, commentId: number): Promise<CommentView | null> {
    const row = await this.database.one(selectComment, { ...item, commentId });
    return row && toComment(row);
  }

  async decisions(item: OnBoard, page: PageRequest): Promise<Page<DecisionView> | null> {
    const rows = await this.#ofItem(selectDecisions, { ...item, ...pageValues(page) });
    return rows && pageOf(rows.map(toDecision), page.limit, ({ id }) => id);
  }

  async decision(item: OnBoard, decisionId: number): Promise<DecisionView | null> {
    const row = await this.database.one(selectDecision, { ...item, decisionId });
    return row && toDecision(row);
  }

  /** The rows of an item; `null` when it is not on this board of the workspace. */
  async #ofItem<In extends OnBoard, Row>(select: Prepared<In, Row>, item: In): Promise<readonly Row[] | null> {
    const rows = await this.database.run(select, item);
    return rows.length > 0 || (await this.database.any(findItem, item)) ? rows : null;
  }

  async summaries(mediaIds: readonly number[]): Promise<ReadonlyMap<number, ReviewSummary>> {
    if (mediaIds.length === 0) return new Map();
    const rows = await this.database.run(selectSummaries, { mediaIds });
    return new Map(
      rows.map(({ mediaId, isClosed, ...summary }) => [
        mediaId,
        { ...summary, isOpen: isOpenRequest({ ...summary, isClosed }) },
      ]),
    );
  }
}

const itemOf = (param: Param<OnBoard>) =>
  build
    .selectFrom('media')
    .select('media.id')
    .where((eb) =>
      eb.and({
        'media.id': param('mediaId'),
        'media.board_id': boardOf(param).select('boards.id'),
        'media.deletion_id': null,
      }),
    );

const findItem = prepared<OnBoard>()(itemOf);

const commentsOf = (param: Param<OnBoard>) =>
  build
    .selectFrom('comments')
    .leftJoin('users as author', 'author.id', 'comments.created_by')
    .leftJoin('share_guests as guest', 'guest.id', 'comments.guest_id')
    .leftJoin('users as resolver', 'resolver.id', 'comments.resolved_by')
    .where('comments.media_id', '=', itemOf(param))
    .select(fieldsOf('comments', ['id', 'parentId', 'createdBy', 'text', 'x', 'y', 'seconds', 'drawing', 'mentions']))
    .select(fieldsOf('comments', ['createdAt', 'editedAt', 'resolvedAt', 'resolvedBy']))
    .select(['guest.id as guestId', 'guest.share_id as shareId', 'resolver.name as resolverName'])
    .select((eb) => eb.fn.coalesce('comments.guest_name', 'author.name').as('authorName'));

const selectComments = prepared<OnBoard & { after: number; limit: number | null }>()((param) =>
  commentsOf(param).where('comments.id', '>', param('after')).orderBy('comments.id').limit(param('limit')),
);

const selectComment = prepared<OnBoard & { commentId: number }>()((param) =>
  commentsOf(param).where('comments.id', '=', param('commentId')),
);

function toComment(row: RowOf<typeof selectComment>): CommentView {
  const { createdBy: userId, authorName: name, guestId, shareId, x, y, seconds, ...rest } = row;
  const { resolvedAt, resolvedBy, resolverName, ...comment } = rest;
  return {
    ...comment,
    author: authorOf({ userId, name, guestId, shareId }),
    pin: pinOf({ x, y, seconds }),
    resolved: resolvedAt && { at: resolvedAt, by: { userId: resolvedBy!, name: resolverName } },
  };
}

function authorOf(row: {
  userId: number | null;
  name: string | null;
  guestId: number | null;
  shareId: number | null;
}): Author {
  const { userId, name, guestId, shareId } = row;
  return { userId, name, guest: guestId === null ? null : { id: guestId, shareId: shareId! } };
}

const decisionsOf = (param: Param<OnBoard>) =>
  build
    .selectFrom('decisions')
    .leftJoin('users', 'users.id', 'decisions.user_id')
    .leftJoin('share_guests as guest', 'guest.id', 'decisions.guest_id')
    .where('decisions.media_id', '=', itemOf(param))
    .select(fieldsOf('decisions', ['id', 'userId', 'verdict', 'text', 'createdAt']))
    .select(['guest.id as guestId', 'guest.share_id as shareId'])
    .select((eb) => eb.fn.coalesce('decisions.guest_name', 'users.name').as('name'));

const selectDecisions = prepared<OnBoard & PageValues>()((param) =>
  decisionsOf(param).where('decisions.id', '<', param('before')).orderBy('decisions.id', 'desc').limit(param('limit')),
);

const selectDecision = prepared<OnBoard & { decisionId: number }>()((param) =>
  decisionsOf(param).where('decisions.id', '=', param('decisionId')),
);

function toDecision(row: RowOf<typeof selectDecision>): DecisionView {
  const { userId, name, guestId, shareId, ...decision } = row;
  return { ...decision, author: authorOf({ userId, name, guestId, shareId }) };
}

const selectSummaries = prepared<{ mediaIds: readonly number[] }>()((param) =>
  build
    .selectFrom('media_reviews')
    .select(fieldsOf('media_reviews', ['mediaId', 'decision', 'commentsCount', 'earlier', 'isClosed']))
    .where('media_id', '=', anyOf(param('mediaIds'))),
);
