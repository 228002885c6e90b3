import type { MediaItems, MediaJson, MediaToProcess, NewMedia, PreparedMedia } from '#board';
import type { Database } from '../database.ts';
import { isForeignKeyViolation } from '../translate-database-error.ts';

/** Every statement takes the board's row first: whoever changes the same board waits there, and nowhere else. */
export class PostgresMediaItems implements MediaItems {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(media: NewMedia): ReturnType<MediaItems['add']> {
    const row = await this.#database
      .one<{ exists: boolean; id: number | null; json: MediaJson }>(
        `with board as (
           update boards b set media_count = media_count + 1, version = version + 1
            where id = $2 and workspace_id = $1 and deleted_at is null
              and ($3::bigint is null or exists (select from folders where board_id = b.id and id = $3))
           returning id),
         added as (
           insert into media (board_id, folder_id, created_by, source_url, source_control_image, extras, state, created_at)
           select id, $3, $4, $5, $6, $7, $8, $9 from board
           returning id, answer),
         kept as (
           insert into media_files (media_id, file_id) select id, unnest($10::bigint[]) from added on conflict do nothing)
         select exists (select from boards where id = $2 and workspace_id = $1 and deleted_at is null) as exists,
                added.id, added.answer as json
           from (values (1)) one left join added on true`,
        [
          media.workspaceId,
          media.boardId,
          media.folderId,
          media.createdBy,
          media.url,
          media.controlImage,
          media.extras,
          media.state,
          media.createdAt,
          media.fileIds,
        ],
      )
      .catch(folderGone);
    if (row === 'folder gone') return { missing: 'folder' };
    if (row!.id === null) return { missing: row!.exists ? 'folder' : 'board' };
    return { id: row!.id, json: row!.json };
  }

  async move(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): ReturnType<MediaItems['move']> {
    const rows = await this.#database
      .query<{ exists: boolean; allowed: boolean; id: number | null; json: MediaJson }>(
        `with board as (
           update boards b set version = version + 1
            where id = $2 and workspace_id = $1 and deleted_at is null
              and ($4::bigint is null or exists (select from folders where board_id = b.id and id = $4))
           returning id),
         moved as (
           update media set folder_id = $4 from board
            where media.board_id = board.id and media.id = any ($3)
           returning media.id, media.answer)
         select exists (select from boards where id = $2 and workspace_id = $1 and deleted_at is null) as exists,
                exists (select from board) as allowed, moved.id, moved.answer as json
           from (values (1)) one left join moved on true`,
        [workspaceId, boardId, ids, folderId],
      )
      .catch(folderGone);
    if (rows === 'folder gone') return { missing: 'folder' };
    const [first] = rows;
    if (!first!.allowed) return { missing: first!.exists ? 'folder' : 'board' };
    return rows.flatMap(({ id, json }) => (id === null ? [] : [{ id, json }]));
  }

  async remove(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
  ): ReturnType<MediaItems['remove']> {
    const row = await this.#database.one<{ board: boolean; ids: number[] | null; file_ids: number[] | null }>(
      `with board as (
         select id from boards where id = $2 and workspace_id = $1 and deleted_at is null for update),
       gone as (
         delete from media using board where media.board_id = board.id and media.id = any ($3) returning media.id),
       counted as (
         update boards set media_count = media_count - (select count(*) from gone), version = version + 1
          where id in (select id from board))
       select exists (select from board) as board, (select array_agg(id) from gone) as ids,
              (select array_agg(distinct file_id) from media_files where media_id in (select id from gone)) as file_ids`,
      [workspaceId, boardId, ids],
    );
    if (!row!.board) return null;
    return { ids: row!.ids ?? [], fileIds: row!.file_ids ?? [] };
  }

  async retry(workspaceId: number, boardId: number, id: number): ReturnType<MediaItems['retry']> {
    const row = await this.#database.one<{ exists: boolean; json: MediaJson | null; revision: number }>(
      `with board as (
         update boards set version = version + 1
          where id = $2 and workspace_id = $1 and deleted_at is null returning id),
       retried as (
         update media set state = 'created', error = null, revision = revision + 1 from board
          where media.board_id = board.id and media.id = $3 and media.state = 'failed'
         returning media.answer, media.revision)
       select exists (select from media join board on board.id = board_id where media.id = $3) as exists,
              retried.answer as json, retried.revision
         from (values (1)) one left join retried on true`,
      [workspaceId, boardId, id],
    );
    if (!row!.exists) return 'not_found';
    if (row!.json === null) return 'conflict';
    return { json: row!.json, revision: row!.revision };
  }

  async retryFailed(
    options: Parameters<MediaItems['retryFailed']>[0],
  ): ReturnType<MediaItems['retryFailed']> {
    const { error, after, limit } = options;
    const rows = await this.#database.query<{ id: number; revision: number | null }>(
      `with failed as (
         select m.id, m.board_id from media m join boards b on b.id = m.board_id and b.deleted_at is null
          where m.state = 'failed' and m.id > $2 and ($1::text is null or m.error = $1)
          order by m.id limit $3),
       locked as (
         select id from boards where id in (select board_id from failed) and deleted_at is null
          order by id for update),
       touched as (
         update boards set version = version + 1 from locked where boards.id = locked.id returning boards.id),
       retried as (
         update media m set state = 'created', error = null, revision = revision + 1 from touched
          where m.board_id = touched.id and m.id in (select id from failed) and m.state = 'failed'
         returning m.id, m.revision)
       select failed.id, retried.revision from failed left join retried using (id) order by failed.id`,
      [error, after, limit],
    );
    return {
      retried: rows.flatMap(({ id, revision }) => (revision === null ? [] : [{ id, revision }])),
      next: rows.length < limit ? null : rows.at(-1)!.id,
    };
  }

  async toProcess(id: number, revision: number): Promise<MediaToProcess | null> {
    return this.#database.one<MediaToProcess>(
      `select m.id, b.workspace_id as "workspaceId", m.revision, m.source_url as url,
              m.source_control_image as "controlImage"
         from media m join boards b on b.id = m.board_id
        where m.id = $1 and m.revision = $2 and m.state = 'created' and b.deleted_at is null`,
      [id, revision],
    );
  }

  async finish(id: number, revision: number, prepared: PreparedMedia): Promise<boolean> {
    return this.#end(
      `state = 'processed', url = $3, control_image = $4, content_type = $5, width = $6, height = $7,
       duration = $8, placeholder = $9, thumbnails = $10`,
      [
        id,
        revision,
        prepared.url,
        prepared.controlImage,
        prepared.contentType,
        prepared.width,
        prepared.height,
        prepared.duration,
        prepared.placeholder,
        JSON.stringify(prepared.thumbnails),
      ],
      prepared.fileIds,
    );
  }

  async fail(id: number, revision: number, error: string): Promise<boolean> {
    return this.#end(`state = 'failed', error = $3`, [id, revision, error], []);
  }

  async #end(changes: string, values: readonly unknown[], fileIds: readonly number[]): Promise<boolean> {
    const rows = await this.#database.query(
      `with board as (
         select b.id from boards b join media m on m.board_id = b.id
          where m.id = $1 and b.deleted_at is null for update of b),
       ended as (
         update media set ${changes} from board
          where media.board_id = board.id and media.id = $1 and revision = $2 and state = 'created'
         returning media.id),
       seen as (
         update boards set version = version + 1 where id in (select board.id from board, ended)),
       kept as (
         insert into media_files (media_id, file_id)
         select id, unnest($${values.length + 1}::bigint[]) from ended on conflict do nothing)
       select id from ended`,
      [...values, fileIds],
    );
    return rows.length === 1;
  }
}

/** The folder was there when the statement began, and its delete was committed before the statement ended. */
function folderGone(error: unknown): 'folder gone' {
  if (isForeignKeyViolation(error)) return 'folder gone';
  throw error;
}
