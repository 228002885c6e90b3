import { sql, type Expression } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { BoardEntry, BoardViews, FolderView, JsonOf, MediaView } from '#board';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues, type Param } from '../prepared.ts';
import { boardOf, toBoard, toFolder, type OnBoard } from './postgres-boards.ts';
import { MEDIA, toMediaView, type MediaRow } from './postgres-media.ts';

const FOLDER = ['folders.id', 'folders.name', 'folders.parent_id'] as const;

const asText = <T>(json: Expression<T>) => sql<JsonOf<T>>`${json}::text`;
const isoTime = (at: Expression<Date>) =>
  sql<string>`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const listBoards = prepared<{ workspaceId: number; shown: number | null } & PageValues>()((param) =>
  build
    .with('page', (db) =>
      db
        .selectFrom('boards')
        .select(['id', 'name', 'folders_count', 'media_count'])
        .select((eb) => isoTime(eb.ref('created_at')).as('created_at'))
        .where('workspace_id', '=', param('workspaceId'))
        .where('deleted_at', 'is', null)
        .where('id', '<', param('before'))
        .orderBy('id', 'desc')
        .limit(param('limit')),
    )
    .with('shown', (db) => db.selectFrom('page').selectAll().orderBy('id', 'desc').limit(param('shown')))
    .selectNoFrom((eb) => [
      asText<readonly BoardEntry[]>(jsonArrayFrom(eb.selectFrom('shown').selectAll())).as('boards'),
      eb
        .selectFrom('shown')
        .select((eb) => eb.fn.min('id').as('id'))
        .as('last'),
      eb
        .selectFrom('page')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .as('count'),
    ]),
);

/** The media that a statement then selects from, cut to a page. */
const mediaPage = (param: Param<PageValues>) =>
  build
    .selectFrom('media')
    .select(MEDIA)
    .where('media.id', '<', param('before'))
    .orderBy('media.id', 'desc')
    .limit(param('limit'));

const readBoard = prepared<OnBoard & { known: readonly number[] }>()((param) =>
  boardOf(param)
    .select(['boards.id', 'name', 'folders_count', 'media_count', 'created_at', 'version'])
    .select((eb) => {
      const isUnknown = sql<boolean>`boards.version <> all(${param('known')}::bigint[])`;
      const unlessKnown = <T>(rows: Expression<T>) => eb.case().when(isUnknown).then(rows).end();
      const folders = eb.selectFrom('folders').select(FOLDER).whereRef('folders.board_id', '=', 'boards.id');
      const media = eb.selectFrom('media').select(MEDIA).whereRef('media.board_id', '=', 'boards.id');
      return [
        unlessKnown(jsonArrayFrom(folders.orderBy('folders.id'))).as('folders'),
        unlessKnown(jsonArrayFrom(media.orderBy('media.id', 'desc'))).as('media'),
      ];
    }),
);

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
              .orderBy('media.id', 'desc'),
          ).as('media'),
        )
        .whereRef('folders.board_id', '=', 'boards.id')
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
    .select(FOLDER)
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('folders as child')
          .select((eb) => [
            'child.id',
            'child.name',
            'child.parent_id',
            eb
              .selectFrom('folders as inner')
              .select((eb) => eb.fn.countAll<number>().as('count'))
              .whereRef('inner.board_id', '=', 'child.board_id')
              .whereRef('inner.parent_id', '=', 'child.id')
              .as('folders_count'),
            eb
              .selectFrom('media')
              .select((eb) => eb.fn.countAll<number>().as('count'))
              .whereRef('media.board_id', '=', 'child.board_id')
              .whereRef('media.folder_id', '=', 'child.id')
              .as('media_count'),
          ])
          .whereRef('child.board_id', '=', 'folders.board_id')
          .whereRef('child.parent_id', '=', 'folders.id')
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
    .where('boards.deleted_at', 'is', null);

const EXISTS = {
  board: prepared<Target>()((param) => boardsOf(param).where('boards.id', '=', param('id'))),
  folder: prepared<Target>()((param) =>
    boardsOf(param).innerJoin('folders', 'folders.board_id', 'boards.id').where('folders.id', '=', param('id')),
  ),
  media: prepared<Target>()((param) =>
    boardsOf(param).innerJoin('media', 'media.board_id', 'boards.id').where('media.id', '=', param('id')),
  ),
};

export class PostgresBoardViews implements BoardViews {
  constructor(private readonly database: Database) {}

  async boards(workspaceId: number, page: PageRequest): ReturnType<BoardViews['boards']> {
    const values = { workspaceId, shown: page.limit, ...pageValues(page) };
    const { boards, last, count } = (await this.database.one(listBoards, values))!;
    return { boards, next: page.limit !== null && count! > page.limit ? last : null };
  }

  async board(workspaceId: number, boardId: number, known: readonly number[]): ReturnType<BoardViews['board']> {
    const row = await this.database.one(readBoard, { workspaceId, boardId, known });
    if (!row) return null;
    const { version, folders, media } = row;
    if (!folders || !media) return { version, content: null };
    const content = { ...toBoard(row), folders: folders.map(toFolder), media: media.map(toMediaView) };
    return { version, content };
  }

  async folders(workspaceId: number, boardId: number, page: PageRequest): ReturnType<BoardViews['folders']> {
    const row = await this.database.one(listFolders, { workspaceId, boardId, ...pageValues(page) });
    if (!row) return null;
    const folders = row.folders.map((folder) => ({ ...toFolder(folder), media: folder.media.map(toMediaView) }));
    return pageOf(folders, page.limit, ({ id }) => id);
  }

  async folder(workspaceId: number, boardId: number, folderId: number, page: PageRequest): Promise<FolderView | null> {
    const row = await this.database.one(readFolder, { workspaceId, boardId, folderId, ...pageValues(page) });
    if (!row) return null;
    const folders = row.folders.map((folder) => ({
      ...toFolder(folder),
      foldersCount: folder.folders_count ?? 0,
      mediaCount: folder.media_count ?? 0,
    }));
    return { folder: toFolder(row), folders, media: mediaPageOf(row.media, page) };
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

  async exists(kind: keyof typeof EXISTS, workspaceId: number, id: number): Promise<boolean> {
    return (await this.database.one(EXISTS[kind], { workspaceId, id })) !== null;
  }
}

function mediaPageOf(rows: readonly MediaRow[], { limit }: PageRequest): Page<MediaView> {
  return pageOf(rows.map(toMediaView), limit, ({ id }) => id);
}
