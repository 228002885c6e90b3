import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { mediaKindOf } from '#board';
import { outputSourceUri, stemOf } from '#files';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Verdict } from '#review';
import {
  hasOverlay,
  type ReviewCounts,
  type Share,
  type SharedContents,
  type SharedFile,
  type SharedFolder,
  type SharedItem,
} from '#sharing';
import type { Database } from '../database.ts';
import { isVersionWith, PLACE } from '../board/postgres-media.ts';
import { anyOf, pageValues } from '../prepared.ts';
import { countOf, fieldsOf } from '../shapes.ts';
import { hasPicturesOf, NAME, PICTURE, PICTURE_COLUMNS } from '../files/file-rows.ts';
import { sharedFolders, sharedMedia, sharedVersions } from './shared-media.ts';

export class PostgresSharedContents implements SharedContents {
  constructor(private readonly database: Database) {}

  folders(share: Share): Promise<readonly SharedFolder[]> {
    return sharedFolders(this.database, share).execute();
  }

  async items(
    share: Share,
    { folderId }: { readonly folderId?: number | null },
    page: PageRequest,
  ): Promise<Page<SharedItem>> {
    const { limit } = pageValues(page);
    // The root of a shared folder is that folder; single items are all at the root.
    const folder = folderId === null ? share.folderId : folderId;
    const isInAny = folder === undefined || (folder === null && share.of === 'media');
    const after = this.database.kysely
      .selectFrom('media')
      .select([PLACE.as('place'), sql<number>`-media.id`.as('newness')])
      .where('media.id', '=', page.after);
    const rows = await itemsOf(this.database, share)
      .where('media.replaced_by', 'is', null)
      .$if(page.after !== null, (media) => media.where(sql<boolean>`${ORDER} > ${after}`))
      .$if(!isInAny, (media) => media.where('media.folder_id', folder === null ? 'is' : '=', folder!))
      .$if(share.of === 'media' && typeof folder === 'number', (media) => media.where(sql.lit(false)))
      .orderBy(ORDER)
      .$if(limit !== null, (media) => media.limit(limit!))
      .execute();
    const items = rows.map((row) => toItem(row, share));
    return pageOf(items, page.limit, ({ id }) => id);
  }

  async item(share: Share, mediaId: number): Promise<SharedItem | null> {
    const row = await itemsOf(this.database, share).where('media.id', '=', mediaId).executeTakeFirst();
    return row ? toItem(row, share) : null;
  }

  async versions(share: Share, mediaId: number): Promise<readonly SharedItem[]> {
    const rows = await itemsOf(this.database, share)
      .where(isVersionWith(sql.val(mediaId)))
      .orderBy('media.id', 'desc')
      .execute();
    return rows.map((row) => toItem(row, share));
  }

  /** The contents of the link are read again after the lock was granted. */
  async lockBoard(share: Share, mediaId: number): Promise<number | null> {
    const shown = () => sharedVersions(this.database, share).select('media.board_id').where('media.id', '=', mediaId);
    const board = await shown().executeTakeFirst();
    if (!board) return null;
    const id = board.board_id;
    const boards = this.database.kysely.selectFrom('boards').select('id').where('id', '=', id);
    await boards.forNoKeyUpdate().execute();
    return (await shown().executeTakeFirst()) ? id : null;
  }

  async review(share: Share, guestId: number): Promise<ReviewCounts> {
    const decided = (decision: Verdict) =>
      sql<number>`count(*) filter (where coalesce(review.decision, 'none') = ${decision})`;
    const comments = this.database.kysely.selectFrom('comments').where('comments.guest_id', '=', guestId);
    return sharedMedia(this.database, share)
      .leftJoin('media_reviews as review', 'review.media_id', 'media.id')
      .select([
        decided('approved').as('approved'),
        decided('changes_requested').as('changesRequested'),
        decided('none').as('undecided'),
        countOf(comments as never).as('comments'),
      ])
      .executeTakeFirstOrThrow();
  }

  async files(share: Share, mediaIds: readonly number[] | null, limit: number): Promise<readonly SharedFile[]> {
    const folders = await this.folders(share);
    const media = sharedMedia(this.database, share)
      .$if(mediaIds !== null, (rows) => rows.where('media.id', '=', anyOf(sql.val(mediaIds ?? []))))
      .orderBy('media.id')
      .limit(limit);
    const rows = await (!hasOverlay(share)
      ? media
          .innerJoin('files', (join) =>
            join.onRef('files.key', '=', 'media.file_key').on('files.workspace_id', '=', share.workspaceId),
          )
          .where('files.deletion_id', 'is', null)
          .select(fieldsOf('files', ['id', 'key', 'filename', 'createdAt']))
          .select([NAME, hasPicturesOf('files.id')])
          .select(['media.id as mediaId', 'media.folder_id as folderId'])
          .execute()
      : media
          .leftJoin('share_pictures as picture', (join) =>
            join.onRef('picture.media_id', '=', 'media.id').on('picture.share_id', '=', share.id),
          )
          .leftJoin('files', (join) => join.on('files.key', '=', sql<string>`picture.whole ->> 'key'`))
          .innerJoin('files as original', 'original.key', 'media.file_key')
          .select(['files.key', 'original.id', 'original.filename', 'original.created_at as createdAt'])
          .select(sql<string>`coalesce(original.name, original.filename)`.as('name'))
          .select(['media.id as mediaId', 'media.folder_id as folderId', hasPicturesOf('original.id')])
          .$narrowType<{ id: number; filename: string; createdAt: Date }>()
          .execute());
    const pathOf = pathsIn(folders);
    return rows.map(({ folderId, hasPictures, ...row }) => ({
      ...row,
      digitalSource: outputSourceUri(hasPictures),
      ...(hasOverlay(share) && { name: stemOf(row), filename: 'marked.webp' }),
      folders: pathOf(folderId),
    }));
  }
}

/** The order that people give to the items of a board: of equal places the newest first. */
const ORDER = sql`(${PLACE}, -media.id)`;

/** The versions of all items. */
const itemsOf = (database: Database, share: Share) =>
  sharedVersions(database, share)
    .innerJoin('files', (join) =>
      join.onRef('files.key', '=', 'media.file_key').on('files.workspace_id', '=', share.workspaceId),
    )
    .leftJoin('media_reviews as review', 'review.media_id', 'media.id')
    .leftJoin('share_pictures as picture', (join) =>
      join
        .onRef('picture.media_id', '=', 'media.id')
        .on('picture.share_id', '=', share.id)
        .on('picture.state', '=', 'made'),
    )
    .select([...PICTURE, hasPicturesOf('files.id')])
    .select(fieldsOf('media', ['id', 'boardId', 'folderId']))
    .select('picture.media_id as pictureOf')
    .select((eb) =>
      eb
        .selectFrom('share_picture_files as copy')
        .innerJoin('files as clip', 'clip.id', 'copy.file_id')
        .whereRef('copy.media_id', '=', 'picture.media_id')
        .whereRef('copy.share_id', '=', 'picture.share_id')
        .where('clip.content_type', 'like', 'video/%')
        .select('clip.key')
        .as('clipKey'),
    )
    .select(['review.decision', 'review.comments_count as commentsCount'])
    .select((eb) => eb.fn.coalesce('review.earlier', sql<number[]>`'{}'::bigint[]`).as('earlier'))
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('files as made')
          .select(fieldsOf('files', PICTURE_COLUMNS, 'made'))
          .where('made.key', '=', sql<string>`picture.whole ->> 'key'`),
      ).as('marked'),
    );

type Row = Awaited<ReturnType<ReturnType<typeof itemsOf>['execute']>>[number];

function toItem(row: Row, share: Share): SharedItem {
  const { pictureOf, decision, commentsCount, hasPictures, ...item } = row;
  const isAtRoot = share.of === 'media' || item.folderId === share.folderId;
  return {
    ...item,
    folderId: isAtRoot ? null : item.folderId,
    kind: mediaKindOf(item.contentType) ?? 'model',
    digitalSource: outputSourceUri(hasPictures),
    isMarked: pictureOf !== null,
    decision: decision ?? 'none',
    commentsCount: commentsCount ?? 0,
  };
}

/** The names of the folders from the root of what is shared to a folder. */
function pathsIn(folders: readonly SharedFolder[]): (folderId: number | null) => readonly string[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const pathOf = (folderId: number | null): readonly string[] => {
    const folder = folderId === null ? undefined : byId.get(folderId);
    return folder ? [...pathOf(folder.parentId), folder.name] : [];
  };
  return pathOf;
}
