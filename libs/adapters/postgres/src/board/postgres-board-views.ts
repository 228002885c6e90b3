import { sql, type RawBuilder } from 'kysely';
import type {
  Board,
  BoardViews,
  FolderView,
  FolderWithMedia,
  MediaFilter,
  MediaSort,
  MediaView,
  WholeBoard,
} from '#board';
import { invalidField, pageOf, type Page, type PageRequest } from '#kernel';
import { facetQuery, wordQuery } from '#library';
import type { Database } from '../database.ts';
import { anyOf, brief, build, pageValues, prepared, type PageValues, type Param } from '../prepared.ts';
import { understand } from '../library/query-words.ts';
import { containsText, countOf } from '../shapes.ts';
import { BOARD, boardOf, FOLDER, type OnBoard } from './postgres-boards.ts';
import { isVersionWith, NEWEST, PLACE, withPicture } from './postgres-media.ts';
import { NOTE, notesThere } from './postgres-notes.ts';

type InFolder = OnBoard & { readonly folderId: number };

const boardsPage = (isOfCustomer: boolean) =>
  prepared<PageValues & { workspaceId: number; search: string | null; customer: string | undefined }>()((param) => {
    const page = build
      .selectFrom('boards')
      .select(BOARD)
      .where((eb) => eb.and({ workspace_id: param('workspaceId'), deletion_id: null }))
      .where((eb) => containsText(eb.ref('name'), param('search')))
      .where('id', '<', param('before'))
      .orderBy('id', 'desc')
      .limit(param('limit'));
    return isOfCustomer ? page.where('customer', '=', sql<string>`${param('customer')}`) : page;
  });

const listBoards = boardsPage(false);
const listBoardsOfCustomer = boardsPage(true);

/** Only for pages without a search: other lists may take longer. */
const pageOfBoards = brief(listBoards);

const findBoard = prepared<OnBoard>()((param) => boardOf(param).select(BOARD).select('version'));

const selectVersions = prepared<{ boardIds: readonly number[] }>()((param) =>
  build
    .selectFrom('boards')
    .select(['id', 'version'])
    .where('id', '=', anyOf(param('boardIds')))
    .where('deletion_id', 'is', null),
);

const findVersion = brief(prepared<OnBoard>()((param) => boardOf(param).select('version')));

/** The folders of the board. */
const foldersOf = (param: Param<OnBoard>) =>
  build
    .selectFrom('folders')
    .where((eb) => eb.and({ 'folders.board_id': boardOf(param).select('id'), 'folders.deletion_id': null }));

const allFolders = prepared<OnBoard>()((param) => foldersOf(param).select(FOLDER).orderBy('id'));

const folderPage = (param: Param<OnBoard & PageValues>) =>
  foldersOf(param).where('id', '<', param('before')).orderBy('id', 'desc').limit(param('limit'));

const pageOfFolders = prepared<OnBoard & PageValues>()((param) => folderPage(param).select(FOLDER));

const findFolder = prepared<InFolder>()((param) => foldersOf(param).select(FOLDER).where('id', '=', param('folderId')));

const foldersInFolder = prepared<InFolder>()((param) =>
  foldersOf(param)
    .select(FOLDER)
    .select((eb) => [
      countOf(
        eb
          .selectFrom('folders as inner')
          .whereRef('inner.board_id', '=', 'folders.board_id')
          .whereRef('inner.parent_id', '=', 'folders.id')
          .where('inner.deletion_id', 'is', null),
      ).as('foldersCount'),
      countOf(
        eb
          .selectFrom('media')
          .whereRef('media.board_id', '=', 'folders.board_id')
          .whereRef('media.folder_id', '=', 'folders.id')
          .where((media) => media.and(NEWEST)),
      ).as('mediaCount'),
    ])
    .where('parent_id', '=', param('folderId'))
    .orderBy('id'),
);

/** The media of the board with all their versions, newest first. */
const versionsOn = (param: Param<OnBoard>) =>
  withPicture(build.selectFrom('media'))
    .where((eb) => eb.and({ 'media.board_id': boardOf(param).select('id'), 'media.deletion_id': null }))
    .orderBy('media.id', 'desc');

/** The media of the board, newest first. */
const mediaOf = (param: Param<OnBoard>) => versionsOn(param).where('media.replaced_by', 'is', null);

const allMedia = prepared<OnBoard>()(mediaOf);

const allNotes = prepared<OnBoard>()((param) =>
  notesThere().select(NOTE).where('notes.board_id', '=', boardOf(param).select('id')).orderBy('notes.id'),
);

const mediaItem = prepared<OnBoard & { readonly id: number }>()((param) =>
  versionsOn(param).where('media.id', '=', param('id')),
);

const versionsOfItem = prepared<OnBoard & { readonly id: number }>()((param) =>
  versionsOn(param).where(isVersionWith(param('id'))),
);

const mediaInFolders = prepared<OnBoard & PageValues>()((param) =>
  mediaOf(param).where('media.folder_id', 'in', folderPage(param).select('id')),
);

/** A page of the board's media. */
const mediaPageOf = (param: Param<OnBoard & PageValues>) =>
  mediaOf(param).where('media.id', '<', param('before')).limit(param('limit'));

const pageOfMedia = prepared<OnBoard & PageValues>()(mediaPageOf);

const pageOfMediaAtRoot = prepared<OnBoard & PageValues>()((param) =>
  mediaPageOf(param).where('media.folder_id', 'is', null),
);

const pageOfMediaInFolder = prepared<InFolder & PageValues>()((param) =>
  mediaPageOf(param).where('media.folder_id', '=', param('folderId')),
);

/** The keys of each order, ascending; equal items come newest first. */
const SORT_KEYS: Readonly<Record<MediaSort, readonly RawBuilder<unknown>[]>> = {
  newest: [],
  oldest: [sql`media.id`],
  manual: [PLACE],
  // Items without a picture come last.
  name: [sql`files.id is null`, sql`lower(coalesce(files.name, files.filename, ''))`],
  rating: [sql`-coalesce(library_items.rating, 0)`],
  decision: [
    sql`array_position('{approved,changes_requested,none}'::text[], coalesce(media_reviews.decision, 'none'))`,
  ],
};

/** Items with a decision; `open` are those that changes are asked of, by a request that nobody has closed. */
function isDecided(decision: NonNullable<MediaFilter['decision']>): RawBuilder<boolean> {
  const latest = sql`coalesce(media_reviews.decision, 'none')`;
  return decision === 'open'
    ? sql`(${latest} = 'changes_requested' and not media_reviews.is_closed)`
    : sql`${latest} = ${decision}`;
}

type Target = { workspaceId: number; id: number };
const boardsOf = (param: Param<Target>) =>
  build
    .selectFrom('boards')
    .select('boards.id')
    .where((eb) => eb.and({ 'boards.workspace_id': param('workspaceId'), 'boards.deletion_id': null }));

const findExisting = {
  board: prepared<Target>()((param) => boardsOf(param).where('boards.id', '=', param('id'))),
  folder: prepared<Target>()((param) =>
    boardsOf(param)
      .innerJoin('folders', 'folders.board_id', 'boards.id')
      .where((eb) => eb.and({ 'folders.id': param('id'), 'folders.deletion_id': null })),
  ),
  note: prepared<Target>()((param) =>
    notesThere().select('notes.id').where('notes.id', '=', param('id')).where('notes.board_id', 'in', boardsOf(param)),
  ),
  media: prepared<Target>()((param) =>
    boardsOf(param)
      .innerJoin('media', 'media.board_id', 'boards.id')
      .where((eb) => eb.and({ 'media.id': param('id'), 'media.deletion_id': null })),
  ),
};

export class PostgresBoardViews implements BoardViews {
  constructor(private readonly database: Database) {}

  async boards(
    workspaceId: number,
    page: PageRequest,
    { search, customer }: Parameters<BoardViews['boards']>[2] = {},
  ): Promise<Page<Board>> {
    const values = { workspaceId, search: search ?? null, customer, ...pageValues(page) };
    const all = page.limit === null || search !== undefined ? listBoards : pageOfBoards;
    const statement = customer === undefined ? all : listBoardsOfCustomer;
    return pageOf(await this.database.run(statement, values), page.limit, ({ id }) => id);
  }

  /** Reads one snapshot: the rendered board is cached by its version. */
  async board(workspaceId: number, boardId: number): Promise<WholeBoard | null> {
    const reads = { boards: findBoard, folders: allFolders, media: allMedia, notes: allNotes };
    const { boards, folders, media, notes } = await this.database.snapshot(reads, { workspaceId, boardId });
    return boards[0] ? { ...boards[0], folders, media, notes } : null;
  }

  async version(workspaceId: number, boardId: number): Promise<number | null> {
    return (await this.database.one(findVersion, { workspaceId, boardId }))?.version ?? null;
  }

  async versions(boardIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await this.database.run(selectVersions, { boardIds });
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  async folders(workspaceId: number, boardId: number, page: PageRequest): Promise<Page<FolderWithMedia> | null> {
    const reads = { boards: findBoard, folders: pageOfFolders, media: mediaInFolders };
    const values = { workspaceId, boardId, ...pageValues(page) };
    const { boards, folders, media } = await this.database.snapshot(reads, values);
    if (!boards[0]) return null;
    const mediaOfFolder = Map.groupBy(media, ({ folderId }) => folderId);
    const withMedia = folders.map((folder) => ({ ...folder, media: mediaOfFolder.get(folder.id) ?? [] }));
    return pageOf(withMedia, page.limit, ({ id }) => id);
  }

  async folder(workspaceId: number, boardId: number, folderId: number, page: PageRequest): Promise<FolderView | null> {
    const reads = { found: findFolder, folders: foldersInFolder, media: pageOfMediaInFolder };
    const values = { workspaceId, boardId, folderId, ...pageValues(page) };
    const { found, folders, media } = await this.database.snapshot(reads, values);
    return found[0] ? { folder: found[0], folders, media: pageOf(media, page.limit, ({ id }) => id) } : null;
  }

  item(workspaceId: number, boardId: number, id: number): Promise<MediaView | null> {
    return this.database.one(mediaItem, { workspaceId, boardId, id });
  }

  versionsOf(workspaceId: number, boardId: number, id: number): Promise<readonly MediaView[]> {
    return this.database.run(versionsOfItem, { workspaceId, boardId, id });
  }

  async media(
    workspaceId: number,
    boardId: number,
    filter: MediaFilter,
    page: PageRequest,
  ): Promise<Page<MediaView> | null> {
    const { folderId, ...search } = filter;
    const values = { workspaceId, boardId, ...pageValues(page) };
    const isSearched = Object.values(search).some((each) => each !== undefined);
    if (isSearched && !(await this.exists('board', workspaceId, boardId))) return null;
    const rows = await (isSearched
      ? this.#search(values, filter, page)
      : folderId
        ? this.database.run(pageOfMediaInFolder, { ...values, folderId })
        : this.database.run(folderId === null ? pageOfMediaAtRoot : pageOfMedia, values));
    const isThere = isSearched || rows.length > 0 || (await this.exists('board', workspaceId, boardId));
    return isThere ? pageOf(rows, page.limit, ({ id }) => id) : null;
  }

  /** Reads and sorts all media items of the board. */
  async #search(
    { workspaceId, boardId }: OnBoard,
    { folderId, text, tags = [], decision, sort = 'newest' }: MediaFilter,
    { limit, after }: PageRequest,
  ): Promise<readonly MediaView[]> {
    const words = text === undefined ? [] : [wordQuery(await understand(this.database, workspaceId, text))];
    if (words[0] === null) return [];
    const query = [...words, ...(tags.length > 0 ? [facetQuery(tags.map((tag) => [{ tag }]))] : [])].join(' & ');
    const keys = [...SORT_KEYS[sort], sql`-media.id`];
    const onBoard = withPicture(this.database.kysely.selectFrom('media'))
      .leftJoin('media_reviews', 'media_reviews.media_id', 'media.id')
      .where('media.board_id', '=', boardId);
    const last = onBoard
      .clearSelect()
      .select(keys.map((key, at) => key.as(`key${at}`)))
      .where('media.id', '=', after);
    const rows = await onBoard
      .where((eb) => eb.and(NEWEST))
      .$if(decision !== undefined, (each) => each.where(isDecided(decision!)))
      .$if(folderId !== undefined, (each) => each.where('media.folder_id', folderId === null ? 'is' : '=', folderId!))
      .$if(query !== '', (each) => each.where(sql<boolean>`library_items.words @@ ${query}::tsquery`))
      .$if(after !== null, (each) => each.where(sql<boolean>`(${sql.join(keys)}) > ${last}`))
      .$call((each) => keys.reduce((query, key) => query.orderBy(key), each))
      .$if(limit !== null, (each) => each.limit(limit! + 1))
      .execute();
    if (rows.length === 0 && after !== null && (await last.execute()).length === 0) {
      throw invalidField('cursor', 'must be of a media item that is still there: start again without it');
    }
    return rows;
  }

  exists(kind: keyof typeof findExisting, workspaceId: number, id: number): Promise<boolean> {
    return this.database.any(findExisting[kind], { workspaceId, id });
  }
}
