import type { Board, Boards, Deleted } from '#board';
import type { Database } from '../database.ts';

interface BoardRow {
  readonly id: number;
  readonly name: string;
  readonly folders_count: number;
  readonly media_count: number;
  readonly created_at: Date;
}

const COLUMNS = 'id, name, folders_count, media_count, created_at';

export class PostgresBoards implements Boards {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(board: Parameters<Boards['add']>[0]): Promise<Board> {
    const row = await this.#database.one<BoardRow>(
      `insert into boards (workspace_id, created_by, name, created_at) values ($1, $2, $3, $4) returning ${COLUMNS}`,
      [board.workspaceId, board.createdBy, board.name, board.createdAt],
    );
    return toBoard(row!);
  }

  async update(workspaceId: number, boardId: number, change: { name?: string }): Promise<Board | null> {
    const row = await this.#database.one<BoardRow>(
      `update boards set name = coalesce($3, name), version = version + 1
        where id = $2 and workspace_id = $1 and deleted_at is null
       returning ${COLUMNS}`,
      [workspaceId, boardId, change.name ?? null],
    );
    return row && toBoard(row);
  }

  async remove(workspaceId: number, boardId: number, at: Date): Promise<Deleted | null> {
    return this.#database.one<Deleted>(
      `update boards set deleted_at = $3, version = version + 1
        where id = $2 and workspace_id = $1 and deleted_at is null
       returning folders_count as folders, media_count as media`,
      [workspaceId, boardId, at],
    );
  }

  async purge(boardId: number, limit: number): ReturnType<Boards['purge']> {
    const row = await this.#database.one<{ media: number; files: number[] | null }>(
      `with gone as (
         delete from media where id = any (array(
           select m.id from media m join boards b on b.id = m.board_id
            where b.id = $1 and b.deleted_at is not null limit $2))
         returning id)
       select (select count(*) from gone) as media,
              (select array_agg(distinct file_id) from media_files where media_id in (select id from gone)) as files`,
      [boardId, limit],
    );
    if (row!.media > 0) return { fileIds: row!.files ?? [], done: false };
    await this.#database.query(
      `with gone as (delete from folders where board_id in (select id from boards where id = $1 and deleted_at is not null))
       delete from boards where id = $1 and deleted_at is not null`,
      [boardId],
    );
    return { fileIds: [], done: true };
  }
}

function toBoard(row: BoardRow): Board {
  return {
    id: row.id,
    name: row.name,
    foldersCount: row.folders_count,
    mediaCount: row.media_count,
    createdAt: row.created_at,
  };
}
