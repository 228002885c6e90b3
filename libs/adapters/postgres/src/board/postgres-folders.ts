import type { Deleted, Folder, Folders } from '#board';
import type { Database } from '../database.ts';

interface FolderRow {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
}

export class PostgresFolders implements Folders {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async lock(workspaceId: number, boardId: number): Promise<boolean> {
    const rows = await this.#database.query(
      `update boards set version = version + 1
        where id = $2 and workspace_id = $1 and deleted_at is null returning id`,
      [workspaceId, boardId],
    );
    return rows.length === 1;
  }

  async survey(
    boardId: number,
    parentId: number | null,
    folderId: number | null,
  ): ReturnType<Folders['survey']> {
    const row = await this.#database.one<{ path: number[] | null; height: number | null }>(
      `with recursive up as (
         select id, parent_id, 1 as level from folders where board_id = $1 and id = $2
         union all
         select f.id, f.parent_id, level + 1 from folders f join up on f.board_id = $1 and f.id = up.parent_id),
       down as (
         select id, 1 as level from folders where board_id = $1 and id = $3
         union all
         select f.id, level + 1 from folders f join down on f.board_id = $1 and f.parent_id = down.id)
       select (select array_agg(id order by level desc) from up) as path, (select max(level) from down) as height`,
      [boardId, parentId, folderId],
    );
    const path = parentId === null ? [] : row!.path;
    const height = folderId === null ? 1 : row!.height;
    if (height === null) return { missing: 'folder' };
    if (path === null) return { missing: 'parent' };
    return { path, height };
  }

  async add(folder: Parameters<Folders['add']>[0]): Promise<Folder | null> {
    const row = await this.#database.one<FolderRow>(
      `with board as (
         update boards set folders_count = folders_count + 1, version = version + 1
          where id = $2 and workspace_id = $1 and deleted_at is null returning id)
       insert into folders (board_id, parent_id, name, created_at) select id, $3, $4, $5 from board
       returning id, name, parent_id`,
      [folder.workspaceId, folder.boardId, folder.parentId, folder.name, folder.createdAt],
    );
    return row && toFolder(row);
  }

  async update(
    boardId: number,
    folderId: number,
    change: { readonly name?: string; readonly parentId?: number | null },
  ): Promise<Folder | null> {
    const row = await this.#database.one<FolderRow>(
      `update folders set name = coalesce($3, name), parent_id = case when $4 then $5 else parent_id end
        where board_id = $1 and id = $2 returning id, name, parent_id`,
      [boardId, folderId, change.name ?? null, change.parentId !== undefined, change.parentId ?? null],
    );
    return row && toFolder(row);
  }

  async remove(boardId: number, folderId: number): ReturnType<Folders['remove']> {
    const row = await this.#database.one<Deleted & { file_ids: number[] | null }>(
      `with recursive doomed as (
         select id from folders where board_id = $1 and id = $2
         union all
         select f.id from folders f join doomed on f.board_id = $1 and f.parent_id = doomed.id),
       gone_media as (
         delete from media where board_id = $1 and folder_id in (select id from doomed) returning id),
       gone_folders as (
         delete from folders where board_id = $1 and id in (select id from doomed) returning id),
       counts as (
         select (select count(*) from gone_folders) as folders, (select count(*) from gone_media) as media),
       board as (
         update boards set folders_count = folders_count - folders, media_count = media_count - media
           from counts where boards.id = $1)
       select folders, media,
              (select array_agg(distinct file_id) from media_files where media_id in (select id from gone_media)) as file_ids
         from counts`,
      [boardId, folderId],
    );
    if (row!.folders === 0) return null;
    return { deleted: { folders: row!.folders, media: row!.media }, fileIds: row!.file_ids ?? [] };
  }
}

function toFolder(row: FolderRow): Folder {
  return { id: row.id, name: row.name, parentId: row.parent_id };
}
