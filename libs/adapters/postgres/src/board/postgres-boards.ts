import { sql, type Expression, type QueryCreator, type Selectable } from 'kysely';
import type { Board, BoardStore, Deleted, Folder, FolderStore } from '#board';
import type { Database } from '../database.ts';
import { build, prepared, type Param } from '../prepared.ts';
import { countOf, insertFrom } from '../shapes.ts';
import type { Tables } from '../schema.ts';

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

/** Changes the board, which locks its row: whoever changes the same board waits there, and nowhere else. */
export const changeBoard = (param: Param<OnBoard>) =>
  build
    .updateTable('boards')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('boards.id', '=', param('boardId'))
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where('boards.deleted_at', 'is', null);

/** The files that media refer to; `null` for none. */
export const filesOf = (media: Expression<{ id: number }>) =>
  build
    .selectFrom('media_files')
    .select(sql<number[] | null>`array_agg(distinct file_id)`.as('ids'))
    .where(sql<boolean>`media_id in (${media})`);

const BOARD = ['id', 'name', 'folders_count', 'media_count', 'created_at'] as const;
const FOLDER = ['id', 'name', 'parent_id'] as const;

const addBoard = prepared<Parameters<BoardStore['add']>[0]>()((param) =>
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

const removeBoard = prepared<OnBoard & { at: Date }>()((param) =>
  changeBoard(param)
    .set({ deleted_at: param('at') })
    .returning(['folders_count as folders', 'media_count as media']),
);

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
        .returning('id'),
    )
    .selectNoFrom((eb) => [
      countOf(eb.selectFrom('gone')).as('media'),
      filesOf(eb.selectFrom('gone').select('id')).as('file_ids'),
    ]),
);

const purgeBoard = prepared<{ boardId: number }>()((param) =>
  build
    .with('board', (db) =>
      db.selectFrom('boards').select('id').where('id', '=', param('boardId')).where('deleted_at', 'is not', null),
    )
    .with('gone', (db) => db.deleteFrom('folders').where('board_id', 'in', (eb) => eb.selectFrom('board').select('id')))
    .deleteFrom('boards')
    .where('id', 'in', (eb) => eb.selectFrom('board').select('id')),
);

export class PostgresBoards implements BoardStore {
  constructor(private readonly database: Database) {}

  async add(board: Parameters<BoardStore['add']>[0]): Promise<Board> {
    return toBoard((await this.database.one(addBoard, board))!);
  }

  async update(workspaceId: number, boardId: number, { name = null }: { name?: string | null }) {
    const row = await this.database.one(renameBoard, { workspaceId, boardId, name });
    return row && toBoard(row);
  }

  remove(workspaceId: number, boardId: number, at: Date): Promise<Deleted | null> {
    return this.database.one(removeBoard, { workspaceId, boardId, at });
  }

  async purge(boardId: number, limit: number): ReturnType<BoardStore['purge']> {
    const purged = await this.database.one(purgeMedia, { boardId, limit });
    if (purged!.media) return { fileIds: purged!.file_ids ?? [], done: false };
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
      eb
        .selectFrom('up')
        .select(sql<number[]>`array_agg(id order by level desc)`.as('ids'))
        .as('path'),
      eb
        .selectFrom('below')
        .select((eb) => eb.fn.max('level').as('level'))
        .as('height'),
    ]),
);

const addFolder = prepared<Parameters<FolderStore['add']>[0]>()((param) =>
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
    .returning(FOLDER),
);

const removeFolder = prepared<{ boardId: number; folderId: number }>()((param) =>
  build
    .withRecursive('below', subtree(param))
    .with('gone_media', (db) =>
      db
        .deleteFrom('media')
        .where('board_id', '=', param('boardId'))
        .where('folder_id', 'in', (eb) => eb.selectFrom('below').select('id'))
        .returning('id'),
    )
    .with('gone_folders', (db) =>
      db
        .deleteFrom('folders')
        .where('board_id', '=', param('boardId'))
        .where('id', 'in', (eb) => eb.selectFrom('below').select('id'))
        .returning('id'),
    )
    .with('counts', (db) =>
      db.selectNoFrom((eb) => [
        eb.selectFrom('gone_folders').select(eb.fn.countAll<number>().as('count')).as('folders'),
        eb.selectFrom('gone_media').select(eb.fn.countAll<number>().as('count')).as('media'),
      ]),
    )
    .with('board', (db) =>
      db
        .updateTable('boards')
        .from('counts')
        .set((eb) => ({
          folders_count: eb('folders_count', '-', eb.fn.coalesce('counts.folders', sql<number>`0`)),
          media_count: eb('media_count', '-', eb.fn.coalesce('counts.media', sql<number>`0`)),
        }))
        .where('boards.id', '=', param('boardId')),
    )
    .selectFrom('counts')
    .select((eb) => [
      eb.fn.coalesce('folders', sql<number>`0`).as('folders'),
      eb.fn.coalesce('media', sql<number>`0`).as('media'),
      filesOf(eb.selectFrom('gone_media').select('id')).as('file_ids'),
    ]),
);

export class PostgresFolders implements FolderStore {
  constructor(private readonly database: Database) {}

  async lock(workspaceId: number, boardId: number): Promise<boolean> {
    return (await this.database.one(lockBoard, { workspaceId, boardId })) !== null;
  }

  async survey(boardId: number, parentId: number | null, folderId: number | null): ReturnType<FolderStore['survey']> {
    const row = await this.database.one(surveyFolders, { boardId, parentId, folderId });
    const path = parentId === null ? [] : row!.path;
    const height = folderId === null ? 1 : row!.height;
    if (height === null) return { missing: 'folder' };
    if (path === null) return { missing: 'parent' };
    return { path, height };
  }

  async add(folder: Parameters<FolderStore['add']>[0]): Promise<Folder | null> {
    const row = await this.database.one(addFolder, folder);
    return row && toFolder(row);
  }

  async update(
    boardId: number,
    folderId: number,
    { name = null, parentId }: { name?: string | null; parentId?: number | null },
  ): Promise<Folder | null> {
    const moves = parentId !== undefined;
    const change = { boardId, folderId, name, moves, parentId: parentId ?? null };
    const row = await this.database.one(updateFolder, change);
    return row && toFolder(row);
  }

  async remove(boardId: number, folderId: number): ReturnType<FolderStore['remove']> {
    const { folders, media, file_ids } = (await this.database.one(removeFolder, { boardId, folderId }))!;
    return folders === 0 ? null : { deleted: { folders, media }, fileIds: file_ids ?? [] };
  }
}

export function toBoard(row: Pick<Selectable<Tables['boards']>, (typeof BOARD)[number]>): Board {
  return {
    id: row.id,
    name: row.name,
    foldersCount: row.folders_count,
    mediaCount: row.media_count,
    createdAt: row.created_at,
  };
}

export function toFolder(row: Pick<Selectable<Tables['folders']>, (typeof FOLDER)[number]>): Folder {
  return { id: row.id, name: row.name, parentId: row.parent_id };
}
