import { sql } from 'kysely';
import type { Board, BoardChange, BoardStore, Folder, FolderStore, NewBoard, NewFolder } from '#board';
import type { Deletion } from '#files';
import type { ReviewKind } from '#review';
import { CUSTOM_DATA, type Metadata } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared, type Param } from '../prepared.ts';
import { Board as BoardTable, Folder as FolderTable, Media } from '../schema.ts';
import { arrayOf, fieldsOf } from '../shapes.ts';
import { boardNotice, deletionNotice, reviewNotice } from '../signals.ts';
import { addEntries } from '../trash/entries.ts';

export interface OnBoard {
  readonly workspaceId: number;
  readonly boardId: number;
}

/** The board, unless it is deleted or in another workspace. */
export const boardOf = (param: Param<OnBoard>) =>
  build
    .selectFrom('boards')
    .where((eb) =>
      eb.and({
        'boards.id': param('boardId'),
        'boards.workspace_id': param('workspaceId'),
        'boards.deletion_id': null,
      }),
    );

/** The change of a board by a statement that returns a notice for its watchers. */
const changeOf = (param: Param<OnBoard>) =>
  build
    .updateTable('boards')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where((eb) =>
      eb.and({
        'boards.id': param('boardId'),
        'boards.workspace_id': param('workspaceId'),
        'boards.deletion_id': null,
      }),
    );

/**
 * Changes the board, and returns a notice for its watchers. Every change of a board locks its row first, so that changes of one
 * board wait for each other.
 */
export const changeBoard = (param: Param<OnBoard>) => changeOf(param).returning(boardNotice);

/** As `changeBoard`, for comments and decisions about a media item. */
export const reviewBoard = prepared<OnBoard & { readonly mediaId: number; readonly kind: ReviewKind }>()((param) =>
  changeOf(param).returning(reviewNotice(param('kind'), param('mediaId'))),
);

export const BOARD = fieldsOf('boards', ['id', 'name', 'foldersCount', 'mediaCount', 'createdAt', ...CUSTOM_DATA]);
export const FOLDER = fieldsOf('folders', ['id', 'name', 'parentId']);

type BoardValues = OnBoard & { name: string | null; customer: string | null; metadata: Metadata | null };

const updateBoard = prepared<BoardValues & { changesCustomer: boolean; changesMetadata: boolean }>()((param) =>
  changeBoard(param)
    .set((eb) => ({
      name: eb.fn.coalesce(param('name'), 'name'),
      customer: sql<
        string | null
      >`case when ${param('changesCustomer')}::boolean then ${param('customer')} else customer end`,
      metadata: sql<Metadata | null>`case when ${param('changesMetadata')}::boolean then ${param('metadata')} else metadata end`,
    }))
    .returning(BOARD),
);

const lockForDeletion = prepared<OnBoard>()((param) =>
  changeOf(param).returning(['name', 'folders_count as folders', 'media_count as media', deletionNotice]),
);

export class PostgresBoards implements BoardStore {
  constructor(private readonly database: Database) {}

  async add({ workspaceId, createdBy, ...board }: NewBoard): Promise<Board> {
    const id = await this.database.em.insert(BoardTable, { workspaceId, createdBy, ...board });
    return { id, ...board, foldersCount: 0, mediaCount: 0 };
  }

  async update(workspaceId: number, boardId: number, { name, customer, metadata }: BoardChange): Promise<Board | null> {
    const row = await this.database.one(updateBoard, {
      ...{ workspaceId, boardId, name: name ?? null },
      customer: customer ?? null,
      metadata: metadata ?? null,
      changesCustomer: customer !== undefined,
      changesMetadata: metadata !== undefined,
    });
    if (!row) return null;
    const { notice, ...board } = row;
    return board;
  }

  async delete(workspaceId: number, boardId: number, deletion: Deletion): ReturnType<BoardStore['delete']> {
    const board = await this.database.one(lockForDeletion, { workspaceId, boardId });
    if (!board) return null;
    const { name, folders, media } = board;
    const item = { kind: 'board', workspaceId, itemId: boardId, boardId: null, name } as const;
    const entryId = (await addEntries(this.database, [item], deletion))[0]!;
    await this.database.em.nativeUpdate(BoardTable, { id: boardId }, { deletionId: entryId });
    return { name, deleted: { folders, media }, entryId };
  }
}

export const lockBoard = prepared<OnBoard>()((param) => changeBoard(param).returning('id'));

interface InTree {
  readonly boardId: number;
  readonly folderId: number | null;
}

/** Adds to a statement the folder and the folders below it that are not deleted, as `below`, with their levels. */
const withSubtree = (param: Param<InTree>) =>
  build.withRecursive('below', (db) =>
    db
      .selectFrom('folders')
      .select(['id', sql<number>`1`.as('level')])
      .where('id', '=', param('folderId'))
      .where((eb) => eb.and({ board_id: param('boardId'), deletion_id: null }))
      .unionAll(
        db
          .selectFrom('folders')
          .innerJoin('below', 'below.id', 'folders.parent_id')
          .select(['folders.id', sql<number>`below.level + 1`.as('level')])
          .where((eb) => eb.and({ 'folders.board_id': param('boardId'), 'folders.deletion_id': null })),
      ),
  );

const selectSubtree = prepared<InTree>()((param) => withSubtree(param).selectFrom('below').select('id'));

/** Folders form no cycle: `path` has the parent and the folders above it, which the moved folder must not be one of. */
const surveyFolders = prepared<InTree & { readonly parentId: number | null }>()((param) =>
  withSubtree(param)
    .withRecursive('up', (db) =>
      db
        .selectFrom('folders')
        .select(['id', 'parent_id', sql<number>`1`.as('level')])
        .where('id', '=', param('parentId'))
        .where((eb) => eb.and({ board_id: param('boardId'), deletion_id: null }))
        .unionAll(
          db
            .selectFrom('folders')
            .innerJoin('up', 'up.parent_id', 'folders.id')
            .select(['folders.id', 'folders.parent_id', sql<number>`up.level + 1`.as('level')])
            .where((eb) => eb.and({ 'folders.board_id': param('boardId'), 'folders.deletion_id': null })),
        ),
    )
    .selectNoFrom((eb) => [
      arrayOf(eb.selectFrom('up').select('id').orderBy('level', 'desc')).as('path'),
      eb
        .selectFrom('below')
        .select(({ fn }) => fn.max('level').as('level'))
        .as('height'),
    ]),
);

const addFolder = prepared<NewFolder>()((param) =>
  build
    .with('board', (db) =>
      db
        .updateTable('boards')
        .set((eb) => ({ folders_count: eb('folders_count', '+', 1) }))
        .where('id', '=', param('boardId')),
    )
    .insertInto('folders')
    .values(param.columns('boardId', 'parentId', 'name', 'createdAt'))
    .returning(FOLDER),
);

export const findFolder = prepared<{ boardId: number; folderId: number }>()((param) =>
  build
    .selectFrom('folders')
    .select('name')
    .where((eb) => eb.and({ board_id: param('boardId'), id: param('folderId'), deletion_id: null })),
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

  async add(folder: NewFolder): Promise<Folder> {
    return (await this.database.one(addFolder, folder))!;
  }

  async update(
    boardId: number,
    folderId: number,
    { name, parentId }: { name?: string | null; parentId?: number | null },
  ): Promise<Folder | null> {
    const updated = this.database.kysely
      .updateTable('folders')
      .set(({ ref }) => ({
        name: name ?? ref('name'),
        parent_id: parentId === undefined ? ref('parent_id') : parentId,
      }))
      .where((eb) => eb.and({ board_id: boardId, id: folderId, deletion_id: null }))
      .returning(FOLDER);
    return (await updated.executeTakeFirst()) ?? null;
  }

  /** Deletes the folder and everything below it. Items that were deleted before keep their own entry. */
  async delete(
    workspaceId: number,
    boardId: number,
    folderId: number,
    deletion: Deletion,
  ): ReturnType<FolderStore['delete']> {
    const folder = await this.database.one(findFolder, { boardId, folderId });
    if (!folder) return null;
    const item = { kind: 'folder', workspaceId, itemId: folderId, boardId, ...folder } as const;
    const entryId = (await addEntries(this.database, [item], deletion))[0]!;
    const ids = (await this.database.run(selectSubtree, { boardId, folderId })).map(({ id }) => id);
    const { em, kysely } = this.database;
    const inFolders = { boardId, folderId: { $in: ids }, deletionId: null };
    const media = await em.nativeUpdate(Media, { ...inFolders, replacedBy: null }, { deletionId: entryId });
    await em.nativeUpdate(Media, inFolders, { deletionId: entryId });
    await em.nativeUpdate(FolderTable, { id: { $in: ids } }, { deletionId: entryId });
    await kysely
      .updateTable('boards')
      .set((eb) => ({
        folders_count: eb('folders_count', '-', ids.length),
        media_count: eb('media_count', '-', media),
      }))
      .where('id', '=', boardId)
      .execute();
    return { deleted: { folders: ids.length, media }, entryId };
  }
}
