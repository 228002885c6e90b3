import { DomainError, pageOf, type Page, type PageRequest } from '#kernel';
import type { Files, NewFile, StoredFile } from '#files';
import type { Database } from '../database.ts';
import { FILE_COLUMNS } from './file-columns.ts';

export class PostgresFiles implements Files {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async reserve(key: string, now: Date): Promise<void> {
    await this.#database.queryApart(RESERVE, [key, now]);
  }

  async add(file: NewFile): Promise<StoredFile> {
    const added = await this.#database.one<StoredFile>(ADD, [
      file.key,
      file.workspaceId,
      file.personaId,
      file.origin,
      file.filename,
      file.size,
      file.contentType,
      file.createdAt,
      file.expiresAt,
    ]);
    if (!added) throw new DomainError('conflict', 'storing the file took too long; try again');
    return added;
  }

  holdByKey(workspaceId: number, key: string): Promise<StoredFile | null> {
    return this.#database.one(HOLD, [workspaceId, key]);
  }

  find(id: number): Promise<StoredFile | null> {
    return this.#database.one(FIND, [id]);
  }

  async list(
    workspaceId: number,
    personaId: number,
    { limit, after }: PageRequest,
    now: Date,
  ): Promise<Page<StoredFile> | null> {
    const rows = await this.#database.query<StoredFile | NoFile>(LIST, [
      workspaceId,
      personaId,
      now,
      after,
      limit === null ? null : limit + 1,
    ]);
    if (rows.length === 0) return null;
    const files = rows.filter((row) => row.id !== null);
    return pageOf(files, limit, (file) => file.id);
  }
}

/** The row of a persona that has no files. */
interface NoFile {
  readonly id: null;
}

const RESERVE = `
  insert into discarded_objects (key, due_at) values ($1, $2::timestamptz + interval '1 hour')`;

const ADD = `
  with reserved as (delete from discarded_objects where key = $1 returning key),
  persona as (select id from personas where id = $3 and deleted_at is null for key share)
  insert into files as f
    (key, workspace_id, persona_id, origin, filename, size, content_type, created_at, expires_at, review_at)
  select key, $2::bigint, (select id from persona), $4::text, $5::text, $6::bigint, $7::text, $8::timestamptz,
    $9::timestamptz, $8::timestamptz + interval '1 hour'
  from reserved
  returning ${FILE_COLUMNS}`;

const HOLD = `
  select ${FILE_COLUMNS} from files f
  where f.workspace_id = $1 and f.key = $2
  for key share`;

const FIND = `select ${FILE_COLUMNS} from files f where f.id = $1`;

const LIST = `
  select ${FILE_COLUMNS}
  from personas p
  left join lateral (
    select * from files
    where persona_id = p.id and (expires_at is null or expires_at > $3)
      and ($4::bigint is null or id < $4)
    order by id desc
    limit $5
  ) f on true
  where p.id = $2 and p.workspace_id = $1 and p.deleted_at is null
  order by f.id desc`;
