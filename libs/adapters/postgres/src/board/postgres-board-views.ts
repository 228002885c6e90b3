import type { PageRequest } from '#kernel';
import type { BoardViews, ListJson } from '#board';
import type { Database } from '../database.ts';

/** Objects as text: it is aggregated, and sent, as it is. */
const BOARD = `'{"id":' || b.id || ',"name":' || to_json(b.name) || ',"folders_count":' || b.folders_count ||
  ',"media_count":' || b.media_count || ',"created_at":"' ||
  to_char(b.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`;
const FOLDER = `'{"id":' || f.id || ',"name":' || to_json(f.name) || ',"parent_id":' || coalesce(f.parent_id::text, 'null')`;
const MEDIA_NEWEST_FIRST = `string_agg(m.answer, ',' order by m.id desc)`;

/** Reads without entities: one statement each, whose text is the answer. */
export class PostgresBoardViews implements BoardViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async boards(workspaceId: number, page: PageRequest): Promise<ListJson> {
    const row = await this.#database.one<ListJson>(
      `select '{"boards":[' || coalesce(string_agg(json, ',' order by id desc) filter (where place <= $3 or $3 is null), '') || ']}' as json,
              case when count(*) > $3 then min(id) filter (where place <= $3) end as next
         from (select b.id, row_number() over (order by b.id desc) as place, ${BOARD} || '}' as json
                 from boards b
                where b.workspace_id = $1 and b.deleted_at is null and ($2::bigint is null or b.id < $2)
                order by b.id desc limit $3::integer + 1) b`,
      [workspaceId, page.after, page.limit],
    );
    return row!;
  }

  async board(
    workspaceId: number,
    boardId: number,
    knownVersion: number | null,
  ): ReturnType<BoardViews['board']> {
    return this.#database.one(
      `select b.version, case when b.version is distinct from $3::bigint then
                '{"board":' || ${BOARD} ||
                ',"folders":[' || coalesce((select string_agg(${FOLDER} || '}', ',' order by f.id) from folders f where f.board_id = b.id), '') ||
                '],"media":[' || coalesce((select ${MEDIA_NEWEST_FIRST} from media m where m.board_id = b.id), '') || ']}}'
              end as json
         from boards b
        where b.id = $2 and b.workspace_id = $1 and b.deleted_at is null`,
      [workspaceId, boardId, knownVersion],
    );
  }

  async folders(workspaceId: number, boardId: number, page: PageRequest): Promise<ListJson | null> {
    return this.#database.one<ListJson>(
      `select '{"folders":[' || coalesce((
                select string_agg(${FOLDER} || ',"media":[' || coalesce(held.media, '') || ']}', ',' order by f.id desc)
                  from (select * from folders f
                         where f.board_id = b.id and ($3::bigint is null or f.id < $3) order by f.id desc limit $4) f
                  left join (select folder_id, ${MEDIA_NEWEST_FIRST} as media
                               from media m
                              where m.board_id = b.id and m.folder_id is not null and ($3::bigint is null or m.folder_id < $3)
                              group by folder_id) held on held.folder_id = f.id), '') || ']}' as json,
              (select last.id
                 from (select id, row_number() over (order by id desc) as place, count(*) over () as total
                         from (select id from folders f
                                where f.board_id = b.id and ($3::bigint is null or f.id < $3)
                                order by id desc limit $4::integer + 1) page) last
                where place = $4 and total > $4) as next
         from boards b
        where b.id = $2 and b.workspace_id = $1 and b.deleted_at is null`,
      [workspaceId, boardId, page.after, page.limit],
    );
  }

  async folder(
    workspaceId: number,
    boardId: number,
    folderId: number,
    page: PageRequest,
  ): Promise<ListJson | null> {
    return this.#database.one<ListJson>(
      `select '{"folder":' || ${FOLDER} || '},"folders":[' || coalesce((
                select string_agg('{"id":' || c.id || ',"name":' || to_json(c.name) || ',"parent_id":' || c.parent_id ||
                         ',"folders_count":' || (select count(*) from folders g where g.board_id = c.board_id and g.parent_id = c.id) ||
                         ',"media_count":' || (select count(*) from media m where m.board_id = c.board_id and m.folder_id = c.id) || '}',
                         ',' order by c.id)
                  from folders c where c.board_id = f.board_id and c.parent_id = f.id), '') ||
              '],"media":[' || coalesce(held.media, '') || ']}' as json, held.next
         from boards b
         join folders f on f.board_id = b.id and f.id = $3
         cross join lateral (${mediaPage('m.board_id = f.board_id and m.folder_id = f.id', 4)}) held
        where b.id = $2 and b.workspace_id = $1 and b.deleted_at is null`,
      [workspaceId, boardId, folderId, page.after, page.limit],
    );
  }

  async media(
    workspaceId: number,
    boardId: number,
    filter: { readonly folderId?: number | null },
    page: PageRequest,
  ): Promise<ListJson | null> {
    const inFolder = filter.folderId === undefined ? 'true' : 'm.folder_id is not distinct from $5';
    return this.#database.one<ListJson>(
      `select '{"media":[' || coalesce(held.media, '') || ']}' as json, held.next
         from boards b
         cross join lateral (${mediaPage(`m.board_id = b.id and ${inFolder}`, 3)}) held
        where b.id = $2 and b.workspace_id = $1 and b.deleted_at is null`,
      [
        workspaceId,
        boardId,
        page.after,
        page.limit,
        ...(filter.folderId === undefined ? [] : [filter.folderId]),
      ],
    );
  }

  async exists(kind: keyof typeof EXISTS, workspaceId: number, id: number): Promise<boolean> {
    return (await this.#database.query(EXISTS[kind], [workspaceId, id])).length === 1;
  }
}

const EXISTS = {
  board: `select from boards b where b.id = $2 and b.workspace_id = $1 and b.deleted_at is null`,
  folder: `select from folders f join boards b on b.id = f.board_id
            where f.id = $2 and b.workspace_id = $1 and b.deleted_at is null`,
  media: `select from media m join boards b on b.id = m.board_id
           where m.id = $2 and b.workspace_id = $1 and b.deleted_at is null`,
};

/** A page of media, newest first: `$after` and `$limit` are the parameters from the number `first` on. */
function mediaPage(where: string, first: number): string {
  const [after, limit] = [`$${first}`, `$${first + 1}`];
  return `
    select string_agg(answer, ',' order by id desc) filter (where place <= ${limit} or ${limit} is null) as media,
           case when count(*) > ${limit} then min(id) filter (where place <= ${limit}) end as next
      from (select m.id, m.answer, row_number() over (order by m.id desc) as place
              from media m
             where ${where} and (${after}::bigint is null or m.id < ${after})
             order by m.id desc limit ${limit}::integer + 1) page`;
}
