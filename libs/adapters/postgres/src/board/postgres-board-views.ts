import { sql, type Expression } from 'kysely';
import { jsonArrayFrom, jsonBuildObject } from 'kysely/helpers/postgres';
import type { BoardEntry, BoardViews, FolderView, JsonOf, MediaEntry, MediaView, WholeBoardEntry } from '#board';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { brief, build, pageValues, prepared, type PageValues, type Param } from '../prepared.ts';
import { containsText, countOf, fieldsOf } from '../shapes.ts';
import { boardOf, FOLDER, type OnBoard } from './postgres-boards.ts';
import { MEDIA, toMediaView } from './postgres-media.ts';

const asText = <T>(json: Expression<T>) => sql<JsonOf<T>>`${json}::text`;
const isoTime = (at: Expression<Date>) =>
  sql<string>`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const listBoards = prepared<{ workspaceId: number; search: string | null } & PageValues>()((param) => {
  const boards = build
    .selectFrom('boards')
    .where('workspace_id', '=', param('workspaceId'))
    .where('deletion_id', 'is', null)
    .where((eb) => containsText(eb.ref('name'), param('search')));
  const shown = boards
    .select(['id', 'name', 'folders_count', 'media_count'])
    .select((eb) => isoTime(eb.ref('created_at')).as('created_at'))
    .where('id', '<', param('before'))
    .orderBy('id', 'desc')
    .limit(param('limit'));
  const list = build
    .selectFrom(shown.as('shown'))
    .select((eb) => [
      asText<readonly BoardEntry[]>(eb.fn.coalesce(eb.fn.jsonAgg('shown'), sql`'[]'`)).as('boards'),
      eb.fn.min('id').as('last'),
    ]);
  // One row more would have to be left out of the text again: looking for it apart takes a quarter less time.
  return build
    .selectFrom(list.as('list'))
    .selectAll()
    .select((eb) => eb.exists(boards.where('id', '<', sql.ref<number>('list.last'))).as('hasMore'));
});

/** The whole list, and what is searched for, may take longer. */
const pageOfBoards = brief(listBoards);

/** The media that a statement then selects from, cut to a page. */
const mediaPage = (param: Param<PageValues>) =>
  build
    .selectFrom('media')
    .select(MEDIA)
    .where('media.deletion_id', 'is', null)
    .where('media.id', '<', param('before'))
    .orderBy('media.id', 'desc')
    .limit(param('limit'));

/** Characters of a key that `encodeURIComponent` leaves as they are. */
const PLAIN = sql.lit("^[A-Za-z0-9/_.!~*'()-]*$");

/** The URL that `StoredUrls` makes of a key, or null. Null matches no pattern: without its own case it would be encoded. */
const urlOf = (filesUrl: Expression<string>, key: Expression<string | null>) => sql<string | null>`${filesUrl}::text ||
  case when ${key} is null then null when ${key} ~ ${PLAIN} then substr(${key}, length('files/') + 1) else (
    select string_agg(
      case when each ~ ${PLAIN} then each
        else regexp_replace(upper(encode(convert_to(each, 'UTF8'), 'hex')), '..', '%\\&', 'g') end, '' order by number)
    from regexp_split_to_table(substr(${key}, length('files/') + 1), '') with ordinality as characters (each, number)
  ) end`;

/** Thumbnails with their URLs: the names of these files are ours, and plain. */
const withUrls = (filesUrl: Expression<string>, thumbnails: Expression<unknown>) => sql<MediaEntry['thumbnails']>`
  replace(${thumbnails}::text, '"key": "files/', '"url": "' || ${filesUrl}::text)::json`;

const readBoard = prepared<OnBoard & { filesUrl: string }>()((param) =>
  boardOf(param)
    .select('version')
    .select((eb) => {
      const folders = eb
        .selectFrom('folders')
        .select(['id', 'name', 'parent_id'])
        .whereRef('board_id', '=', 'boards.id')
        .where('deletion_id', 'is', null);
      const media = eb
        .selectFrom('media')
        .select([
          'id',
          'folder_id',
          'extras',
          'state',
          'error',
          'width',
          'height',
          'duration',
          'content_type',
          'placeholder',
        ])
        .select((eb) => [
          urlOf(param('filesUrl'), eb.ref('file_key')).as('url'),
          urlOf(param('filesUrl'), eb.ref('control_image_key')).as('control_image'),
          withUrls(param('filesUrl'), eb.ref('thumbnails')).as('thumbnails'),
          isoTime(eb.ref('created_at')).as('created_at'),
        ])
        .whereRef('board_id', '=', 'boards.id')
        .where('deletion_id', 'is', null);
      return asText<WholeBoardEntry>(
        jsonBuildObject({
          id: eb.ref('boards.id'),
          name: eb.ref('boards.name'),
          folders_count: eb.ref('folders_count'),
          media_count: eb.ref('media_count'),
          created_at: isoTime(eb.ref('boards.created_at')),
          folders: jsonArrayFrom(folders.orderBy('id')),
          media: jsonArrayFrom(media.orderBy('id', 'desc')),
        }),
      ).as('content');
    }),
);

const readVersion = brief(prepared<OnBoard>()((param) => boardOf(param).select('version')));

const listFolders = prepared<OnBoard & PageValues>()((param) =>
  boardOf(param).select((eb) =>
    jsonArrayFrom(
      eb
        .selectFrom('folders')
        .select(FOLDER)
        .select((eb) =>
          jsonArrayFrom(
            eb
              .selectFrom('media')
              .select(MEDIA)
              .whereRef('media.board_id', '=', 'folders.board_id')
              .whereRef('media.folder_id', '=', 'folders.id')
              .where('media.deletion_id', 'is', null)
              .orderBy('media.id', 'desc'),
          ).as('media'),
        )
        .whereRef('folders.board_id', '=', 'boards.id')
        .where('folders.deletion_id', 'is', null)
        .where('folders.id', '<', param('before'))
        .orderBy('folders.id', 'desc')
        .limit(param('limit')),
    ).as('folders'),
  ),
);

const readFolder = prepared<OnBoard & PageValues & { folderId: number }>()((param) =>
  boardOf(param)
    .innerJoin('folders', 'folders.board_id', 'boards.id')
    .where('folders.id', '=', param('folderId'))
    .where('folders.deletion_id', 'is', null)
    .select(FOLDER)
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('folders as child')
          .select(fieldsOf('folders', ['id', 'name', 'parentId'], 'child'))
          .select((eb) => [
            countOf(
              eb
                .selectFrom('folders as inner')
                .whereRef('inner.board_id', '=', 'child.board_id')
                .whereRef('inner.parent_id', '=', 'child.id')
                .where('inner.deletion_id', 'is', null),
            ).as('foldersCount'),
            countOf(
              eb
                .selectFrom('media')
                .whereRef('media.board_id', '=', 'child.board_id')
                .whereRef('media.folder_id', '=', 'child.id')
                .where('media.deletion_id', 'is', null),
            ).as('mediaCount'),
          ])
          .whereRef('child.board_id', '=', 'folders.board_id')
          .whereRef('child.parent_id', '=', 'folders.id')
          .where('child.deletion_id', 'is', null)
          .orderBy('child.id'),
      ).as('folders'),
      jsonArrayFrom(
        mediaPage(param)
          .whereRef('media.board_id', '=', sql.ref('folders.board_id'))
          .where('media.folder_id', '=', param('folderId')),
      ).as('media'),
    ]),
);

const listMedia = prepared<OnBoard & PageValues & { inFolder: boolean; folderId: number | null }>()((param) =>
  boardOf(param).select(
    jsonArrayFrom(
      mediaPage(param)
        .where('media.board_id', '=', param('boardId'))
        .where(
          sql<boolean>`(not ${param('inFolder')}::boolean or folder_id is not distinct from ${param('folderId')})`,
        ),
    ).as('media'),
  ),
);

type Target = { workspaceId: number; id: number };
const boardsOf = (param: Param<Target>) =>
  build
    .selectFrom('boards')
    .select('boards.id')
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where('boards.deletion_id', 'is', null);

const EXISTS = {
  board: prepared<Target>()((param) => boardsOf(param).where('boards.id', '=', param('id'))),
  folder: prepared<Target>()((param) =>
    boardsOf(param)
      .innerJoin('folders', 'folders.board_id', 'boards.id')
      .where('folders.id', '=', param('id'))
      .where('folders.deletion_id', 'is', null),
  ),
  media: prepared<Target>()((param) =>
    boardsOf(param)
      .innerJoin('media', 'media.board_id', 'boards.id')
      .where('media.id', '=', param('id'))
      .where('media.deletion_id', 'is', null),
  ),
};

export class PostgresBoardViews implements BoardViews {
  constructor(private readonly database: Database) {}

  async boards(workspaceId: number, page: PageRequest, search?: string): ReturnType<BoardViews['boards']> {
    const values = { workspaceId, search: search ?? null, ...pageValues(page), limit: page.limit };
    const statement = page.limit === null || search !== undefined ? listBoards : pageOfBoards;
    const { boards, last, hasMore } = (await this.database.one(statement, values))!;
    return { boards, next: hasMore ? last : null };
  }

  async board(
    workspaceId: number,
    boardId: number,
    { known, filesUrl }: { readonly known: readonly number[]; readonly filesUrl: string },
  ): ReturnType<BoardViews['board']> {
    const on = { workspaceId, boardId };
    if (known.length > 0) {
      const checked = await this.database.one(readVersion, on);
      if (!checked || known.includes(checked.version)) return checked && { ...checked, content: null };
    }
    return this.database.one(readBoard, { ...on, filesUrl });
  }

  async folders(workspaceId: number, boardId: number, page: PageRequest): ReturnType<BoardViews['folders']> {
    const row = await this.database.one(listFolders, { workspaceId, boardId, ...pageValues(page) });
    const folders = row?.folders.map((folder) => ({ ...folder, media: folder.media.map(toMediaView) }));
    return folders ? pageOf(folders, page.limit, ({ id }) => id) : null;
  }

  async folder(workspaceId: number, boardId: number, folderId: number, page: PageRequest): Promise<FolderView | null> {
    const row = await this.database.one(readFolder, { workspaceId, boardId, folderId, ...pageValues(page) });
    if (!row) return null;
    const { folders, media, ...folder } = row;
    return { folder, folders, media: mediaPageOf(media, page) };
  }

  async media(
    workspaceId: number,
    boardId: number,
    { folderId }: { readonly folderId?: number | null },
    page: PageRequest,
  ): Promise<Page<MediaView> | null> {
    const filter = { inFolder: folderId !== undefined, folderId: folderId ?? null };
    const row = await this.database.one(listMedia, { workspaceId, boardId, ...filter, ...pageValues(page) });
    return row && mediaPageOf(row.media, page);
  }

  exists(kind: keyof typeof EXISTS, workspaceId: number, id: number): Promise<boolean> {
    return this.database.any(EXISTS[kind], { workspaceId, id });
  }
}

function mediaPageOf(rows: readonly Parameters<typeof toMediaView>[0][], { limit }: PageRequest): Page<MediaView> {
  return pageOf(rows.map(toMediaView), limit, ({ id }) => id);
}
