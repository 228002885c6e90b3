import { sql, type RawBuilder } from 'kysely';
import type { EventType } from '#events';
import type { Thumbnail } from '#files';
import { MAX_COUNTED, summaryText, type InboxEntry, type InboxKind, type InboxViews, type Reader } from '#inbox';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { EVENT, eventOf } from '../events/postgres-events.ts';
import { anyOf, build, pageValues, prepared, type PageValues, type Param, type RowOf } from '../prepared.ts';
import { countOf } from '../shapes.ts';

export class PostgresInboxViews implements InboxViews {
  constructor(private readonly database: Database) {}

  async entries(
    { workspaceId, userId }: Reader,
    { kinds, isUnread, isOpen }: Parameters<InboxViews['entries']>[1],
    page: PageRequest,
  ): Promise<Page<InboxEntry>> {
    const values = { workspaceId, userId, kinds, ...pageValues(page) };
    const selected = isOpen ? selectOpen : selectAll;
    const rows = await this.database.run(isUnread ? selected.unread : selected.all, values);
    return pageOf(rows.map(entryOf), page.limit, ({ id }) => id);
  }

  async unread({ workspaceId, userId }: Reader): Promise<number> {
    return (await this.database.one(countUnread, { workspaceId, userId }))!.count;
  }
}

/** The subject's id for events of a type; null for others, whose subject may have a name instead. */
const idOf = (...types: EventType[]): RawBuilder<number> =>
  sql`case when events.type in (${sql.join(types.map(sql.lit))}) then events.subject_id::bigint end`;

/**
 * Entries of a person, without those about what was deleted: items, boards, links, styles and personas. A comment that
 * was changed mentions some people no longer.
 */
const shownEntries = (param: Param<Reader>) =>
  build
    .selectFrom('inbox_entries as entry')
    .innerJoin('events', 'events.seq', 'entry.event_seq')
    .leftJoin('comments', 'comments.id', 'entry.comment_id')
    .leftJoin('decisions', 'decisions.id', 'entry.decision_id')
    .leftJoin('media', (join) => join.on('media.id', '=', sql<number>`coalesce(comments.media_id, decisions.media_id)`))
    .leftJoin('shares', (join) => join.on('shares.id', '=', idOf('share.opened', 'review.summary')))
    .leftJoin('boards', (join) => join.on('boards.id', '=', sql<number>`coalesce(media.board_id, shares.board_id)`))
    .leftJoin('styles', (join) =>
      join.on('styles.id', '=', idOf('style.ready', 'style.failed')).on('styles.deleted_at', 'is', null),
    )
    .leftJoin('personas', 'personas.id', 'styles.persona_id')
    .where((eb) => eb.and({ 'entry.workspace_id': param('workspaceId'), 'entry.user_id': param('userId') }))
    .where((eb) => eb.and({ 'media.deletion_id': null, 'boards.deletion_id': null, 'personas.deletion_id': null }))
    .where((eb) =>
      eb.and([
        eb.or([eb('entry.kind', 'not in', ['share', 'summary']), eb('shares.id', 'is not', null)]),
        eb.or([eb('entry.kind', '!=', 'style'), eb('styles.id', 'is not', null)]),
        eb.or([eb('entry.kind', '!=', 'mention'), sql<boolean>`entry.user_id = any(comments.mentions)`]),
      ]),
    );

/** Columns of entries, also for mails. */
export const selectEntries = (param: Param<Reader>) =>
  shownEntries(param)
    .leftJoin('batches', (join) => join.on('batches.id', '=', idOf('batch.ended')))
    .leftJoin('users as author', (join) =>
      join.on('author.id', '=', sql<number>`coalesce(comments.created_by, decisions.user_id)`),
    )
    .leftJoin('files', (join) =>
      join.on('files.key', '=', sql<string>`coalesce(media.file_key, media.control_image_key)`),
    )
    .select(EVENT)
    .select(['entry.id as entryId', 'entry.kind', 'entry.read_at as readAt', 'decisions.verdict'])
    .select(['boards.id as boardId', 'media.folder_id as folderId', 'personas.id as personaId'])
    .select((eb) => eb.fn.coalesce('media.replaced_by', 'media.id').as('mediaId'))
    .select([
      sql<string>`coalesce(
        shares.name, boards.name, batches.name, styles.name, events.data ->> 'title', events.subject_id
      )`.as('title'),
      sql<string | null>`coalesce(author.name, comments.guest_name, decisions.guest_name, events.data ->> 'guest')`.as(
        'author',
      ),
      sql<string | null>`coalesce(comments.text, decisions.text)`.as('text'),
      sql<readonly Thumbnail[]>`coalesce(files.thumbnails, '[]')`.as('thumbnails'),
      sql<string | null>`coalesce(files.name, files.filename)`.as('item'),
    ]);

interface ListValues extends Reader, PageValues {
  readonly kinds: readonly InboxKind[];
}

const page = (param: Param<ListValues>) =>
  selectEntries(param)
    .where('entry.kind', '=', anyOf<InboxKind>(param('kinds'), 'text'))
    .where('entry.id', '<', param('before'))
    .orderBy('entry.id', 'desc')
    .limit(param('limit'));

/** The latest decision about an item, if it asks for changes that no version has answered and nobody has closed. */
const isOpenRequest = sql<boolean>`(decisions.verdict = 'changes_requested'
  and not exists (select from decisions later where later.media_id = media.id and later.id > decisions.id)
  and not exists (select from media_reviews review where review.media_id = media.id and review.is_closed))`;

const pagesOf = (select: typeof page) => ({
  all: prepared<ListValues>()(select),
  unread: prepared<ListValues>()((param) => select(param).where('entry.read_at', 'is', null)),
});
const selectAll = pagesOf(page);
const selectOpen = pagesOf((param) => page(param).where(isOpenRequest));

const countUnread = prepared<Reader>()((param) =>
  build.selectNoFrom(
    countOf(
      build.selectFrom(
        shownEntries(param).select('entry.id').where('entry.read_at', 'is', null).limit(MAX_COUNTED).as('unread'),
      ) as never,
    ).as('count'),
  ),
);

type Row = RowOf<typeof selectAll.all>;

export function entryOf(row: Row): InboxEntry {
  const { entryId: id, kind, readAt, verdict, title, item, author, text, thumbnails, ...rest } = row;
  const { boardId, folderId, mediaId, personaId, ...published } = rest;
  const event = eventOf(published);
  const facts = {
    title,
    item,
    author,
    text: text ?? summaryText(event),
    verdict,
    boardId,
    folderId,
    mediaId,
    personaId,
  };
  return { id, kind, createdAt: event.createdAt, readAt, event, thumbnails, ...facts };
}
