import { sql, type Expression, type QueryCreator, type RawBuilder } from 'kysely';
import type { Board, BoardStore, Deleted, Folder, FolderStore, NewBoard, NewFolder } from '#board';
import type { Removal } from '#files';
import type { Caller } from '#identity';
import type { Database } from '../database.ts';
import { stillActs } from '../identity/postgres-tokens.ts';
import { briefWrite, build, prepared, type Param } from '../prepared.ts';
import { arrayOf, countOf, fieldsOf, insertFrom } from '../shapes.ts';
import type { Tables } from '../schema.ts';
import { addEntries, addRows, filesOfMedia } from '../trash/entries.ts';

/** Named by every request that concerns a board. */
export interface OnBoard {
  readonly workspaceId: number;
  readonly boardId: number;
}

/** The board, unless it is deleted or in another workspace. */
export const boardOf = (param: Param<OnBoard>) =>
  build
    .selectFrom('boards')
    .where('boards.id', '=', param('boardId'))
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where('boards.deleted_at', 'is', null);

export const nextVersion = build.updateTable('boards').set((eb) => ({ version: eb('version', '+', 1) }));

/** Changes the board, which locks its row: whoever changes the same board waits there, and nowhere else. */
export const changeBoard = (param: Param<OnBoard>) =>
  nextVersion
    .where('boards.id', '=', param('boardId'))
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where('boards.deleted_at', 'is', null);

/** The files that media refer to. */
export const filesOf = (media: Expression<{ id: number }>) =>
  arrayOf(
    build
      .selectFrom('media_files')
      .select('file_id')
      .distinct()
      .where(sql<boolean>`media_id in ${media}`)
      .orderBy('file_id'),
  );

const BOARD = fieldsOf('boards', ['id', 'name', 'foldersCount', 'mediaCount', 'createdAt']);
export const FOLDER = fieldsOf('folders', ['id', 'name', 'parentId']);

const addBoard = prepared<NewBoard>()((param) =>
  build
    .insertInto('boards')
    .values(param.columns('workspaceId', 'createdBy', 'name', 'createdAt'))
    .returning(BOARD),
);

const renameBoard = prepared<OnBoard & { name: string | null }>()((param) =>
  changeBoard(param)
    .set((eb) => ({ name: eb.fn.coalesce(param('name'), 'name') }))
    .returning(BOARD),
);

const removeBoard = prepared<OnBoard & Removal>()((param) =>
  build
    .with('removed', () =>
      changeBoard(param)
        .set({ deleted_at: param('at') })
        .returning(['workspace_id', 'id', 'name', 'folders_count', 'media_count']),
    )
    .with('entry', () =>
      addEntries(
        'board',
        param,
        sql`(select workspace_id, id as item_id, null::bigint as board_id, name from removed)`,
      ),
    )
    .selectFrom('removed')
    .select(['folders_count as folders', 'media_count as media']),
);

/** Rows of a board for its entry of the trash; none when it is not kept. */
const keptOf = (rows: RawBuilder<unknown>) =>
  sql<{ trash_id: number; content: object; file_ids: number[] }>`(
    select t.id as trash_id, part.content, '{}'::bigint[] as file_ids
    from ${rows} part join trash t on t.kind = 'board' and t.item_id = part.board_id)`;

const purgeMedia = prepared<{ boardId: number; limit: number }>()((param) =>
  build
    .with('gone', (db) =>
      db
        .deleteFrom('media')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('media')
            .innerJoin('boards', 'boards.id', 'media.board_id')
            .select('media.id')
            .where('boards.id', '=', param('boardId'))
            .where('boards.deleted_at', 'is not', null)
            .limit(param('limit')),
        )
        .returning(['id', 'board_id', sql<object>`to_jsonb(media)`.as('content')]),
    )
    .with('kept', () =>
      addRows(
        'media',
        sql`(select t.id as trash_id, gone.content, ${filesOfMedia('gone.id')} as file_ids
          from gone join trash t on t.kind = 'board' and t.item_id = gone.board_id)`,
      ),
    )
    .selectNoFrom((eb) => [
      countOf(eb.selectFrom('gone')).as('media'),
      filesOf(eb.selectFrom('gone').select('id')).as('fileIds'),
    ]),
);

const purgeBoard = prepared<{ boardId: number }>()((param) =>
  build
    .with('board', (db) =>
      db.selectFrom('boards').select('id').where('id', '=', param('boardId')).where('deleted_at', 'is not', null),
    )
    .with('gone', (db) =>
      db
        .deleteFrom('folders')
        .where('board_id', 'in', (eb) => eb.selectFrom('board').select('id'))
        .returning(['board_id', sql<object>`to_jsonb(folders)`.as('content')]),
    )
    .with('kept_folders', () => addRows('folders', keptOf(sql`gone`)))
    .with('kept_board', () =>
      addRows(
        'boards',
        keptOf(sql`(select b.id as board_id, to_jsonb(b) as content from board join boards b using (id))`),
      ),
    )
    .deleteFrom('boards')
    .where('id', 'in', (eb) => eb.selectFrom('board').select('id')),
);

export class PostgresBoards implements BoardStore {
  constructor(private readonly database: Database) {}

  async add(board: NewBoard): Promise<Board> {
    return (await this.database.one(addBoard, board))!;
  }

  update(workspaceId: number, boardId: number, { name = null }: { name?: string | null }): Promise<Board | null> {
    return this.database.one(renameBoard, { workspaceId, boardId, name });
  }

  remove(workspaceId: number, boardId: number, removal: Removal): Promise<Deleted | null> {
    return this.database.one(removeBoard, { workspaceId, boardId, ...removal });
  }

  async purge(boardId: number, limit: number): ReturnType<BoardStore['purge']> {
    const { media, fileIds } = (await this.database.one(purgeMedia, { boardId, limit }))!;
    if (media > 0) return { fileIds, done: false };
    await this.database.run(purgeBoard, { boardId });
    return { fileIds: [], done: true };
  }
}

const lockBoard = prepared<OnBoard>()((param) => changeBoard(param).returning('id'));

/** The folder and those below it, with their levels: `below` of a recursive statement. */
const subtree =
  (param: Param<{ boardId: number; folderId: number | null }>) =>
  (db: QueryCreator<Tables & { below: { id: number; level: number } }>) =>
    db
      .selectFrom('folders')
      .select(['id', sql<number>`1`.as('level')])
      .where('board_id', '=', param('boardId'))
      .where('id', '=', param('folderId'))
      .unionAll(
        db
          .selectFrom('folders')
          .innerJoin('below', 'below.id', 'folders.parent_id')
          .select(['folders.id', sql<number>`below.level + 1`.as('level')])
          .where('folders.board_id', '=', param('boardId')),
      );

const surveyFolders = prepared<{ boardId: number; parentId: number | null; folderId: number | null }>()((param) =>
  build
    .withRecursive('up', (db) =>
      db
        .selectFrom('folders')
        .select(['id', 'parent_id', sql<number>`1`.as('level')])
        .where('board_id', '=', param('boardId'))
        .where('id', '=', param('parentId'))
        .unionAll(
          db
            .selectFrom('folders')
            .innerJoin('up', 'up.parent_id', 'folders.id')
            .select(['folders.id', 'folders.parent_id', sql<number>`up.level + 1`.as('level')])
            .where('folders.board_id', '=', param('boardId')),
        ),
    )
    .withRecursive('below', subtree(param))
    .selectNoFrom((eb) => [
      arrayOf(eb.selectFrom('up').select('id').orderBy('level', 'desc')).as('path'),
      eb
        .selectFrom('below')
        .select((eb) => eb.fn.max('level').as('level'))
        .as('height'),
    ]),
);

/** In a statement that needs no unit of work: who calls. */
export const callerValues = (by: Caller | undefined) => ({ tokenId: by?.tokenId ?? null, now: by?.now ?? null });

const addFolder = briefWrite(
  prepared<NewFolder & ReturnType<typeof callerValues>>()((param) =>
    insertFrom(
      build
        .with('board', () =>
          changeBoard(param)
            .set((eb) => ({ folders_count: eb('folders_count', '+', 1) }))
            .where(stillActs(param('tokenId'), param('workspaceId'), param('now')))
            .returning('id'),
        )
        .insertInto('folders'),
      (eb) => eb.selectFrom('board'),
      (board) => ({ board_id: board.ref('board.id'), ...param.columns('parentId', 'name', 'createdAt') }),
    ).returning(FOLDER),
  ),
);

interface FolderChange {
  boardId: number;
  folderId: number;
  name: string | null;
  moves: boolean;
  parentId: number | null;
}

const updateFolder = prepared<FolderChange>()((param) =>
  build
    .updateTable('folders')
    .set((eb) => ({
      name: eb.fn.coalesce(param('name'), 'name'),
      parent_id: eb
        .case()
        .when(sql<boolean>`${param('moves')}::boolean`)
        .then(sql<number | null>`${param('parentId')}::bigint`)
        .else(eb.ref('parent_id'))
        .end(),
    }))
    .where('board_id', '=', param('boardId'))
    .where('id', '=', param('folderId'))
    .returning(FOLDER),
);

const removeFolder = prepared<Removal & { boardId: number; folderId: number }>()((param) =>
  build
    .withRecursive('below', subtree(param))
    .with('gone_media', (db) =>
      db
        .deleteFrom('media')
        .where('board_id', '=', param('boardId'))
        .where('folder_id', 'in', (eb) => eb.selectFrom('below').select('id'))
        .returning(['id', sql<object>`to_jsonb(media)`.as('content')]),
    )
    .with('gone_folders', (db) =>
      db
        .deleteFrom('folders')
        .where('board_id', '=', param('boardId'))
        .where('id', 'in', (eb) => eb.selectFrom('below').select('id'))
        .returning(['id', 'name', sql<object>`to_jsonb(folders)`.as('content')]),
    )
    .with('entry', () =>
      addEntries(
        'folder',
        param,
        sql`(select b.workspace_id, g.id as item_id, b.id as board_id, g.name
          from gone_folders g join boards b on b.id = ${param('boardId')} where g.id = ${param('folderId')})`,
      ),
    )
    .with('kept_folders', () =>
      addRows(
        'folders',
        sql`(select e.id as trash_id, g.content, '{}'::bigint[] as file_ids from entry e, gone_folders g)`,
      ),
    )
    .with('kept_media', () =>
      addRows(
        'media',
        sql`(select e.id as trash_id, g.content, ${filesOfMedia('g.id')} as file_ids from entry e, gone_media g)`,
      ),
    )
    .with('counts', (db) =>
      db.selectNoFrom((eb) => [
        countOf(eb.selectFrom('gone_folders')).as('folders'),
        countOf(eb.selectFrom('gone_media')).as('media'),
      ]),
    )
    .with('board', (db) =>
      db
        .updateTable('boards')
        .from('counts')
        .set((eb) => ({
          folders_count: eb('folders_count', '-', eb.ref('counts.folders')),
          media_count: eb('media_count', '-', eb.ref('counts.media')),
        }))
        .where('boards.id', '=', param('boardId')),
    )
    .selectFrom('counts')
    .select((eb) => ['folders', 'media', filesOf(eb.selectFrom('gone_media').select('id')).as('fileIds')]),
);

export class PostgresFolders implements FolderStore {
  constructor(private readonly database: Database) {}

  lock(workspaceId: number, boardId: number): Promise<boolean> {
    return this.database.any(lockBoard, { workspaceId, boardId });
  }

  async survey(boardId: number, parentId: number | null, folderId: number | null): ReturnType<FolderStore['survey']> {
    const { path, height } = (await this.database.one(surveyFolders, { boardId, parentId, folderId }))!;
    if (folderId !== null && height === null) return { missing: 'folder' };
    if (parentId !== null && path.length === 0) return { missing: 'parent' };
    return { path, height: height ?? 1 };
  }

  add(folder: NewFolder, by?: Caller): Promise<Folder | null> {
    return this.database.one(addFolder, { ...folder, ...callerValues(by) });
  }

  update(
    boardId: number,
    folderId: number,
    { name = null, parentId }: { name?: string | null; parentId?: number | null },
  ): Promise<Folder | null> {
    const moves = parentId !== undefined;
    return this.database.one(updateFolder, { boardId, folderId, name, moves, parentId: parentId ?? null });
  }

  async remove(boardId: number, folderId: number, removal: Removal): ReturnType<FolderStore['remove']> {
    const { fileIds, ...deleted } = (await this.database.one(removeFolder, { boardId, folderId, ...removal }))!;
    return deleted.folders === 0 ? null : { deleted, fileIds };
  }
}
