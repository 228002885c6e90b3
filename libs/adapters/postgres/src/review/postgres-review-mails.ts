import { sql, type ExpressionBuilder } from 'kysely';
import type { Email } from '#identity';
import type { Addressee, News, Notice, ReviewMailStore } from '#review';
import type { Database } from '../database.ts';
import { anyOf, build, prepared, type Param, type RowOf } from '../prepared.ts';
import { ReviewMail, type Tables } from '../schema.ts';

export class PostgresReviewMails implements ReviewMailStore {
  constructor(private readonly database: Database) {}

  async note(boardId: number, news: News): ReturnType<ReviewMailStore['note']> {
    if (news.kind === 'mention') await this.database.run(dropMentions, news);
    const noted = await (news.kind === 'mention'
      ? this.database.run(insertMentions, { ...news, boardId })
      : this.database.run(insertDecision, { ...news, boardId }));
    if (noted.length === 0) return [];
    return this.database.run(announceMails, { boardId, userIds: noted.map(({ userId }) => userId) });
  }

  lock(addressee: Addressee): ReturnType<ReviewMailStore['lock']> {
    return this.database.one(lockMails, addressee);
  }

  async collectNews(addressee: Addressee): ReturnType<ReviewMailStore['collectNews']> {
    const rows = await this.database.run(selectNotices, addressee);
    const noticeIds = rows.map(({ id }) => id);
    await this.database.run(dropNotices, { ...addressee, noticeIds });
    const [first] = rows;
    if (!first) return null;
    const { boardId } = addressee;
    const { boardName, email } = first;
    return { digest: { boardId, boardName, email, notices: rows.map(toNotice) }, noticeIds };
  }

  async setSentAt(addressee: Addressee, sentAt: Date | null): Promise<void> {
    await this.database.em.nativeUpdate(ReviewMail, { ...addressee }, { sentAt });
  }

  async finish(addressee: Addressee, noticeIds: readonly number[]): Promise<boolean> {
    await this.database.run(markNotices, { noticeIds });
    const isAnnounced = (await this.database.one(selectOther, addressee)) !== null;
    await this.database.em.nativeUpdate(ReviewMail, { ...addressee }, { isAnnounced });
    return isAnnounced;
  }
}

type Mention = Extract<News, { kind: 'mention' }>;

const dropMentions = prepared<Mention>()((param) =>
  build
    .deleteFrom('review_notices')
    .where('comment_id', '=', param('commentId'))
    .where('is_told', '=', false)
    .where(sql<boolean>`user_id <> all(${param('userIds')}::bigint[])`),
);

/** In one order, so that two of these statements can't wait for each other. */
const insertMentions = prepared<Mention & { boardId: number }>()((param) =>
  build
    .insertInto('review_notices')
    .columns(['board_id', 'comment_id', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom(['users', 'comments'])
        .select([param('boardId').as('board_id'), 'comments.id as comment_id', 'users.id'])
        .where('comments.id', '=', param('commentId'))
        .where('users.id', '=', anyOf(param('userIds')))
        .where('users.review_mails', '=', true)
        .where('users.email', 'is not', null)
        .orderBy('users.id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id as userId'),
);

const insertDecision = prepared<{ decisionId: number; boardId: number }>()((param) =>
  build
    .insertInto('review_notices')
    .columns(['board_id', 'decision_id', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom('decisions')
        .innerJoin('media', 'media.id', 'decisions.media_id')
        .innerJoin('users', 'users.id', 'media.created_by')
        .select([param('boardId').as('board_id'), 'decisions.id', 'users.id as user_id'])
        .where('decisions.id', '=', param('decisionId'))
        .where('users.review_mails', '=', true)
        .where('users.email', 'is not', null)
        .where(({ eb: of, ref }) => of('decisions.user_id', 'is distinct from', ref('media.created_by'))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id as userId'),
);

/** One job at a time sends the mails of a person about a board. */
const announceMails = prepared<{ boardId: number; userIds: readonly number[] }>()((param) =>
  build
    .insertInto('review_mails')
    .columns(['board_id', 'user_id', 'is_announced'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([param('boardId').as('board_id'), 'users.id', sql.lit(true).as('is_announced')])
        .where('users.id', '=', anyOf(param('userIds')))
        .orderBy('users.id'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['board_id', 'user_id'])
        .doUpdateSet({ is_announced: true })
        .where('review_mails.is_announced', '=', false),
    )
    .returning(['user_id as userId', 'sent_at as sentAt']),
);

const mailsOf = (param: Param<Addressee>) =>
  build
    .selectFrom('review_mails')
    .where((eb) => eb.and({ 'review_mails.board_id': param('boardId'), 'review_mails.user_id': param('userId') }));

const lockMails = prepared<Addressee>()((param) =>
  mailsOf(param).select(['sent_at as sentAt', 'is_announced as isAnnounced']).forUpdate(),
);

/** Notices about boards and items that are not deleted, to members who may see them now and want mails. */
const selectNotices = prepared<Addressee>()((param) =>
  build
    .selectFrom('review_notices as notice')
    .innerJoin('boards', 'boards.id', 'notice.board_id')
    .innerJoin('users as reader', 'reader.id', 'notice.user_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.workspace_id', '=', 'boards.workspace_id')
        .onRef('memberships.user_id', '=', 'notice.user_id'),
    )
    .leftJoin('comments', 'comments.id', 'notice.comment_id')
    .leftJoin('decisions', 'decisions.id', 'notice.decision_id')
    .innerJoin('media', (join) =>
      join.on('media.id', '=', sql<number>`coalesce(comments.media_id, decisions.media_id)`),
    )
    .leftJoin('users as author', (join) =>
      join.on('author.id', '=', sql<number>`coalesce(comments.created_by, decisions.user_id)`),
    )
    .where((eb) =>
      eb.and({
        'notice.board_id': param('boardId'),
        'notice.user_id': param('userId'),
        'notice.is_told': false,
        'boards.deletion_id': null,
        'media.deletion_id': null,
        'reader.review_mails': true,
      }),
    )
    .where('reader.email', 'is not', null)
    .select(['notice.id', 'boards.name as boardName', 'media.id as mediaId', 'media.folder_id as folderId'])
    .select(['reader.email', 'decisions.verdict', 'comments.text as comment'])
    .select(sql<string | null>`coalesce(author.name, comments.guest_name, decisions.guest_name)`.as('author'))
    .select('decisions.text as reason')
    .$narrowType<{ email: Email }>()
    .orderBy('notice.id'),
);

function toNotice({ mediaId, folderId, author, verdict, comment, reason }: RowOf<typeof selectNotices>): Notice {
  const about = { mediaId, folderId, author };
  return verdict === null
    ? { ...about, kind: 'mention', text: comment! }
    : { ...about, kind: 'decision', verdict, text: reason };
}

const noticesOf = (param: Param<Addressee>) => (eb: ExpressionBuilder<Tables, 'review_notices'>) =>
  eb.and({ board_id: param('boardId'), user_id: param('userId'), is_told: false });

/** All but those that are mailed now: what a person may not see now is not mailed later. */
const dropNotices = prepared<Addressee & { noticeIds: readonly number[] }>()((param) =>
  build
    .updateTable('review_notices')
    .set({ is_told: true })
    .where(noticesOf(param))
    .where(sql<boolean>`id <> all(${param('noticeIds')}::bigint[])`),
);

const markNotices = prepared<{ noticeIds: readonly number[] }>()((param) =>
  build
    .updateTable('review_notices')
    .set({ is_told: true })
    .where('id', '=', anyOf(param('noticeIds'))),
);

const selectOther = prepared<Addressee>()((param) =>
  build.selectFrom('review_notices').select('id').where(noticesOf(param)).limit(1),
);
