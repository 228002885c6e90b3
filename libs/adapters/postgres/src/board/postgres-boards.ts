import { sql, type QueryCreator } from 'kysely';
import type { Board, BoardStore, Folder, FolderStore, NewBoard, NewFolder } from '#board';
import type { Deletion } from '#files';
import type { Database } from '../database.ts';
import { build, prepared, type Param } from '../prepared.ts';
import { Board as BoardTable, type Tables } from '../schema.ts';
import { arrayOf, countOf, fieldsOf, insertFrom } from '../shapes.ts';
import { addEntry } from '../trash/entries.ts';

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
    .where('boards.deletion_id', 'is', null);

export const nextVersion = build.updateTable('boards').set((eb) => ({ version: eb('version', '+', 1) }));

/** Changes the board, which locks its row: whoever changes the same board waits there, and nowhere else. */
export const changeBoard = (param: Param<OnBoard>) =>
  nextVersion
    .where('boards.id', '=', param('boardId'))
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where('boards.deletion_id', 'is', null);

export const BOARD = fieldsOf('boards', ['id', 'name', 'foldersCount', 'mediaCount', 'createdAt']);
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

const lockForDeletion = prepared<OnBoard>()((param) =>
  boardOf(param).select(['name', 'folders_count as folders', 'media_count as media']).forUpdate(),
);

export class PostgresBoards implements BoardStore {
  constructor(private readonly database: Database) {}

  async add(board: NewBoard): Promise<Board> {
    return (await this.database.one(addBoard, board))!;
  }

  update(workspaceId: number, boardId: number, { name = null }: { name?: string | null }): Promise<Board | null> {
    return this.database.one(renameBoard, { workspaceId, boardId, name });
  }

  async delete(workspaceId: number, boardId: number, deletion: Deletion): ReturnType<BoardStore['delete']> {
    const board = await this.database.one(lockForDeletion, { workspaceId, boardId });
    if (!board) return null;
    const { name, ...deleted } = board;
    const item = { kind: 'board', workspaceId, itemId: boardId, boardId: null, name } as const;
    const entryId = await addEntry(this.database, item, deletion);
    await this.database.em.nativeUpdate(BoardTable, { id: boardId }, { deletionId: entryId });
    return { deleted, entryId };
  }
}

export const lockBoard = prepared<OnBoard>()((param) => changeBoard(param).returning('id'));

/** The folder and those below it that are not deleted, with their levels: `below` of a recursive statement. */
const subtree =
  (param: Param<{ boardId: number; folderId: number | null }>) =>
  (db: QueryCreator<Tables & { below: { id: number; level: number } }>) =>
    db
      .selectFrom('folders')
      .select(['id', sql<number>`1`.as('level')])
      .where('board_id', '=', param('boardId'))
      .where('id', '=', param('folderId'))
      .where('deletion_id', 'is', null)
      .unionAll(
        db
          .selectFrom('folders')
          .innerJoin('below', 'below.id', 'folders.parent_id')
          .select(['folders.id', sql<number>`below.level + 1`.as('level')])
          .where('folders.board_id', '=', param('boardId'))
          .where('folders.deletion_id', 'is', null),
      );

const surveyFolders = prepared<{ boardId: number; parentId: number | null; folderId: number | null }>()((param) =>
  build
    .withRecursive('up', (db) =>
      db
        .selectFrom('folders')
        .select(['id', 'parent_id', sql<number>`1`.as('level')])
        .where('board_id', '=', param('boardId'))
        .where('id', '=', param('parentId'))
        .where('deletion_id', 'is', null)
        .unionAll(
          db
            .selectFrom('folders')
            .innerJoin('up', 'up.parent_id', 'folders.id')
            .select(['folders.id', 'folders.parent_id', sql<number>`up.level + 1`.as('level')])
            .where('folders.board_id', '=', param('boardId'))
            .where('folders.deletion_id', 'is', null),
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

const addFolder = prepared<NewFolder>()((param) =>
  insertFrom(
    build
      .with('board', () =>
        changeBoard(param)
          .set((eb) => ({ folders_count: eb('folders_count', '+', 1) }))
          .returning('id'),
      )
      .insertInto('folders'),
    (eb) => eb.selectFrom('board'),
    (board) => ({ board_id: board.ref('board.id'), ...param.columns('parentId', 'name', 'createdAt') }),
  ).returning(FOLDER),
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
    .where('deletion_id', 'is', null)
    .returning(FOLDER),
);

const findFolder = prepared<{ boardId: number; folderId: number }>()((param) =>
  build
    .selectFrom('folders')
    .select('name')
    .where('board_id', '=', param('boardId'))
    .where('id', '=', param('folderId'))
    .where('deletion_id', 'is', null),
);

/** Deletes the folder and what is below it. What was deleted before keeps its own entry. */
const deleteFolder = prepared<{ boardId: number; folderId: number; entryId: number }>()((param) =>
  build
    .withRecursive('below', subtree(param))
    .with('gone_media', (db) =>
      db
        .updateTable('media')
        .set({ deletion_id: param('entryId') })
        .where('board_id', '=', param('boardId'))
        .where('folder_id', 'in', (eb) => eb.selectFrom('below').select('id'))
        .where('deletion_id', 'is', null)
        .returning('id'),
    )
    .with('gone_folders', (db) =>
      db
        .updateTable('folders')
        .set({ deletion_id: param('entryId') })
        .where('board_id', '=', param('boardId'))
        .where('id', 'in', (eb) => eb.selectFrom('below').select('id'))
        .returning('id'),
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
    .select(['folders', 'media']),
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

  add(folder: NewFolder): Promise<Folder | null> {
    return this.database.one(addFolder, folder);
  }

  update(
    boardId: number,
    folderId: number,
    { name = null, parentId }: { name?: string | null; parentId?: number | null },
  ): Promise<Folder | null> {
    const moves = parentId !== undefined;
    return this.database.one(updateFolder, { boardId, folderId, name, moves, parentId: parentId ?? null });
  }

  async delete(
    workspaceId: number,
    boardId: number,
    folderId: number,
    deletion: Deletion,
  ): ReturnType<FolderStore['delete']> {
    const folder = await this.database.one(findFolder, { boardId, folderId });
    if (!folder) return null;
    const item = { kind: 'folder', workspaceId, itemId: folderId, boardId, ...folder } as const;
    const entryId = await addEntry(this.database, item, deletion);
    const deleted = (await this.database.one(deleteFolder, { boardId, folderId, entryId }))!;
    return { deleted, entryId };
  }
}
