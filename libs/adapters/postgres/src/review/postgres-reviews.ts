import { sql } from 'kysely';
import type {
  Authorship,
  Comment,
  Drawing,
  Mentionable,
  NewComment,
  OnBoard,
  Pin,
  ReviewedItem,
  ReviewGuest,
  ReviewKind,
  ReviewStore,
} from '#review';
import { reviewBoard } from '../board/postgres-boards.ts';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { Comment as CommentTable, Decision as DecisionTable, MediaReview } from '../schema.ts';
import { countOf, excluded, fieldsOf } from '../shapes.ts';
import { selectMembers } from '../team/postgres-team-views.ts';

export class PostgresReviews implements ReviewStore {
  constructor(private readonly database: Database) {}

  async lockItem(item: OnBoard, kind: ReviewKind): Promise<ReviewedItem | null> {
    if (!(await this.database.any(reviewBoard, { ...item, kind }))) return null;
    // A separate statement: its snapshot has what was committed while the lock was awaited.
    return this.database.one(selectItem, item);
  }

  async find(mediaId: number, id: number): Promise<Comment | null> {
    const row = await this.database.one(selectComment, { mediaId, id });
    if (!row) return null;
    const { x, y, seconds, guestId, guestName, ...comment } = row;
    return { ...comment, guest: guestOf(row), pin: pinOf(row) };
  }

  async replies(commentId: number): Promise<readonly Authorship[]> {
    const rows = await this.database.run(selectReplies, { commentId });
    return rows.map(({ createdBy, ...row }) => ({ createdBy, guest: guestOf(row) }));
  }

  async add({ pin, drawing, mentions, guest, ...comment }: Parameters<ReviewStore['add']>[0]): Promise<number> {
    const drawn = drawing && JSON.stringify(drawing);
    const row = { ...comment, ...guestColumns(guest), drawing: drawn, mentions: [...mentions], ...columnsOf(pin) };
    const { id } = (await this.database.one(insertComment, row))!;
    await this.database.run(countComments, comment);
    return id;
  }

  async edit({ id, text, mentions, editedAt }: Parameters<ReviewStore['edit']>[0]): Promise<void> {
    await this.database.run(editComment, { id, text, mentions, editedAt });
  }

  async remove({ id, mediaId }: Pick<Comment, 'id' | 'mediaId'>): Promise<void> {
    await this.database.em.nativeDelete(CommentTable, { id });
    await this.database.run(countComments, { mediaId });
  }

  async resolve(id: number, by: number | null, at: Date): Promise<void> {
    const resolved = { resolvedBy: by, resolvedAt: by === null ? null : at };
    await this.database.em.nativeUpdate(CommentTable, { id }, resolved);
  }

  async decide({
    mediaId,
    createdBy,
    guest,
    verdict,
    text,
    at,
  }: Parameters<ReviewStore['decide']>[0]): Promise<number> {
    const author = { userId: createdBy, ...guestColumns(guest) };
    const id = await this.database.em.insert(DecisionTable, { mediaId, ...author, verdict, text, createdAt: at });
    await this.database.run(showDecision, { mediaId, verdict });
    return id;
  }

  async close(mediaId: number): Promise<void> {
    await this.database.em.nativeUpdate(MediaReview, { mediaId }, { isClosed: true });
  }

  members(workspaceId: number): Promise<readonly Mentionable[]> {
    return this.database.run(selectMentionable, { workspaceId });
  }
}

export function pinOf({ x, y, seconds }: { x: number | null; y: number | null; seconds: number | null }): Pin {
  if (seconds !== null) return { kind: 'moment', seconds };
  return x === null || y === null ? { kind: 'none' } : { kind: 'point', x, y };
}

function columnsOf(pin: Pin) {
  const none = { x: null, y: null, seconds: null };
  if (pin.kind === 'point') return { ...none, x: pin.x, y: pin.y };
  return pin.kind === 'moment' ? { ...none, seconds: pin.seconds } : none;
}

function guestOf({ guestId, guestName }: { guestId: number | null; guestName: string | null }): ReviewGuest | null {
  return guestName === null ? null : { id: guestId, name: guestName };
}

function guestColumns(guest: ReviewGuest | null) {
  return { guestId: guest && guest.id, guestName: guest && guest.name };
}

type CommentRow = Omit<NewComment, 'pin' | 'guest' | 'drawing'> & { readonly drawing: string | null } & ReturnType<
    typeof columnsOf
  > &
  ReturnType<typeof guestColumns>;

const insertComment = prepared<CommentRow>()((param) =>
  build
    .insertInto('comments')
    .values({
      ...param.columns('mediaId', 'parentId', 'createdBy', 'guestId', 'guestName', 'text', 'x', 'y', 'seconds'),
      created_at: param('createdAt'),
      drawing: sql<Drawing | null>`${param('drawing')}::jsonb`,
      mentions: sql<number[]>`${param('mentions')}`,
    })
    .returning('id'),
);

const editComment = prepared<{ id: number; text: string; mentions: readonly number[]; editedAt: Date }>()((param) =>
  build
    .updateTable('comments')
    .set({ ...param.columns('text', 'editedAt'), mentions: sql<number[]>`${param('mentions')}` })
    .where('id', '=', param('id')),
);

const selectItem = prepared<OnBoard>()((param) =>
  build
    .selectFrom('media')
    .leftJoin('media_reviews', 'media_reviews.media_id', 'media.id')
    .leftJoin('files', 'files.key', 'media.file_key')
    .where((eb) =>
      eb.and({ 'media.id': param('mediaId'), 'media.board_id': param('boardId'), 'media.deletion_id': null }),
    )
    .select(['files.content_type as contentType', 'files.duration', 'media.replaced_by as replacedBy'])
    .select((eb) => [
      eb.fn.coalesce('media_reviews.comments_count', sql.lit(0)).as('commentsCount'),
      eb.fn.coalesce('media_reviews.decision', sql.lit('none' as const)).as('decision'),
      eb.fn.coalesce('media_reviews.is_closed', sql.lit(false)).as('isClosed'),
    ]),
);

const selectComment = prepared<{ mediaId: number; id: number }>()((param) =>
  build
    .selectFrom('comments')
    .select(fieldsOf('comments', ['id', 'mediaId', 'parentId', 'createdBy', 'guestId', 'guestName']))
    .select(fieldsOf('comments', ['text', 'x', 'y', 'seconds']))
    .where((eb) => eb.and({ id: param('id'), media_id: param('mediaId') })),
);

const selectReplies = prepared<{ commentId: number }>()((param) =>
  build
    .selectFrom('comments')
    .select(fieldsOf('comments', ['createdBy', 'guestId', 'guestName']))
    .where('parent_id', '=', param('commentId')),
);

const countComments = prepared<{ mediaId: number }>()((param) =>
  build
    .insertInto('media_reviews')
    .values((eb) => ({
      media_id: param('mediaId'),
      comments_count: countOf(eb.selectFrom('comments').where('media_id', '=', param('mediaId')) as never),
    }))
    .onConflict((conflict) => conflict.column('media_id').doUpdateSet(excluded('media_reviews', 'comments_count'))),
);

const showDecision = prepared<{ mediaId: number; verdict: 'approved' | 'changes_requested' | 'none' }>()((param) =>
  build
    .insertInto('media_reviews')
    .values({ media_id: param('mediaId'), decision: param('verdict'), is_closed: false })
    .onConflict((conflict) =>
      conflict.column('media_id').doUpdateSet(excluded('media_reviews', 'decision', 'is_closed')),
    ),
);

const selectMentionable = prepared<{ workspaceId: number }>()((param) =>
  selectMembers.where('member.workspace_id', '=', param('workspaceId')).orderBy('member.user_id'),
);
