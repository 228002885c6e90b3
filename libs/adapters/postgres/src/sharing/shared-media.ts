import { sql, type RawBuilder } from 'kysely';
import type { Share } from '#sharing';
import type { Database } from '../database.ts';

type Shared = Pick<Share, 'id' | 'of' | 'workspaceId' | 'boardId' | 'folderId'>;

/** The folder `top` of a board and the existing folders in it. */
const foldersBelow = (top: RawBuilder<number | null>, boardId: RawBuilder<number | null>): RawBuilder<number> => sql`(
  with recursive below as (
    select folders.id from folders
    where folders.id = ${top} and folders.board_id = ${boardId} and folders.deletion_id is null
    union all
    select folders.id from folders join below on folders.parent_id = below.id
    where folders.board_id = ${boardId} and folders.deletion_id is null
  ) select below.id from below)`;

/** A version of a media item can be shown: neither it nor its board is deleted, and it is processed. */
const canBeShown = sql<boolean>`(boards.deletion_id is null and media.deletion_id is null
  and media.state = 'processed' and media.file_key is not null)`;
const isShown = sql<boolean>`(${canBeShown} and media.replaced_by is null)`;

/** The media items that a link shows, with their boards. */
export const sharedMedia = (database: Database, share: Shared) =>
  sharedVersions(database, share).where('media.replaced_by', 'is', null);

/** As `sharedMedia`, with all versions of each item. */
export function sharedVersions({ kysely }: Database, { id, of, workspaceId, boardId, folderId }: Shared) {
  const media = kysely
    .selectFrom('media')
    .innerJoin('boards', 'boards.id', 'media.board_id')
    .where('boards.workspace_id', '=', workspaceId)
    .where(canBeShown);
  if (of === 'media') {
    return media.where((eb) =>
      eb(
        eb.fn.coalesce('media.replaced_by', 'media.id'),
        'in',
        eb.selectFrom('share_media').select('share_media.media_id').where('share_media.share_id', '=', id),
      ),
    );
  }
  const onBoard = media.where('media.board_id', '=', boardId!);
  return of === 'board'
    ? onBoard
    : onBoard.where('media.folder_id', 'in', foldersBelow(sql.val(folderId), sql.val(boardId)));
}

/** The existing folders in what a link shows; `parentId` is null at its root. */
export function sharedFolders({ kysely }: Database, { of, boardId, folderId }: Shared) {
  const folders = kysely
    .selectFrom('folders')
    .where('folders.board_id', '=', boardId!)
    .where('folders.deletion_id', 'is', null)
    .select(['folders.id', 'folders.name'])
    .select((eb) =>
      eb
        .fn('nullif', ['folders.parent_id', sql.val(folderId)])
        .$castTo<number | null>()
        .as('parentId'),
    )
    .orderBy('folders.id');
  if (of !== 'folder') return folders;
  return folders
    .where('folders.id', 'in', foldersBelow(sql.val(folderId), sql.val(boardId)))
    .where('folders.id', '!=', folderId!);
}

/** An aggregate of the media items that a link shows, for a statement that selects from `shares`. */
function ofShared<T>(aggregate: RawBuilder<T>): RawBuilder<T> {
  const found = sql`select ${aggregate} from media
    join boards on boards.id = media.board_id and boards.workspace_id = shares.workspace_id`;
  return sql<T>`case
    when shares.folder_id is not null then (${found} where ${isShown} and media.board_id = shares.board_id
      and media.folder_id in ${foldersBelow(sql.ref('shares.folder_id'), sql.ref('shares.board_id'))})
    when shares.board_id is not null then (${found} where ${isShown} and media.board_id = shares.board_id)
    else (${found} join share_media on share_media.media_id = media.id
      where ${isShown} and share_media.share_id = shares.id) end`;
}

/** The number of media items that a link shows. */
export const sharedCount = ofShared(sql<number>`count(*)`);

/** The people who put the items of a link on their boards. */
export const sharedMakers = ofShared(sql<number[] | null>`array_agg(distinct media.created_by)`);

/** True if something of what a link shows exists, for a statement that selects from `shares`. */
export const hasContents: RawBuilder<boolean> = sql<boolean>`(case
  when shares.board_id is not null then
    exists (select from boards where boards.id = shares.board_id and boards.deletion_id is null)
    and (shares.folder_id is null
      or exists (select from folders where folders.id = shares.folder_id and folders.deletion_id is null))
  else exists (
    select from share_media join media on media.id = share_media.media_id join boards on boards.id = media.board_id
    where share_media.share_id = shares.id and media.deletion_id is null and boards.deletion_id is null)
  end)`;
