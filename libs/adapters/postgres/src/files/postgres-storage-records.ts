import { tokenOfKey, type ReconciliationCursor, type StorageRecords } from '#files';
import type { Database } from '../database.ts';

export class PostgresStorageRecords implements StorageRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async unaccounted(keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.query<{ key: string }>(UNACCOUNTED, [keys, keys.map(tokenOfKey)]);
    return rows.map((row) => row.key);
  }

  filesAfter(after: number | null, before: Date, limit: number): ReturnType<StorageRecords['filesAfter']> {
    return this.#database.query(FILES_AFTER, [after ?? 0, before, limit]);
  }

  stillThere(ids: readonly number[]): Promise<readonly number[]> {
    return this.#ids(STILL_THERE, ids);
  }

  removeUnreferred(ids: readonly number[]): Promise<readonly number[]> {
    return this.#ids(REMOVE_UNREFERRED, ids);
  }

  takeNight(now: Date): Promise<ReconciliationCursor | null> {
    return this.#database.one(TAKE_NIGHT, [now]);
  }

  async goOnFrom({ object, file }: ReconciliationCursor): Promise<void> {
    await this.#database.query('update reconciliation set object_key = $1, file_id = $2', [object, file]);
  }

  async #ids(sql: string, ids: readonly number[]): Promise<readonly number[]> {
    return (await this.#database.query<{ id: number }>(sql, [ids])).map((row) => row.id);
  }
}

// An upload that was not finalized accounts for all its objects, which the sweep deletes; one that was, for what is
// left in the staging place until that is cleaned up.
const UNACCOUNTED = `
  select object.key from unnest($1::text[], $2::text[]) as object (key, token)
  where not exists (select from files where key = object.key)
    and not exists (select from discarded_objects where key = object.key)
    and not exists (
      select from uploads where token = object.token and (
        state in ('allocated', 'frozen')
        or clean_up_at is not null and object.key like 'staging/%'))`;

const FILES_AFTER = 'select id, key from files where id > $1 and created_at < $2 order by id limit $3';

const STILL_THERE = 'select id from files where id = any($1)';

const REMOVE_UNREFERRED = `
  delete from files f where id = any($1)
    and not exists (select from trainings where file_id = f.id)
    and not exists (select from media_files where file_id = f.id)
    and not exists (select from generation_outputs where file_id = f.id)
    and not exists (
      select from generations where f.id in (image_file_id, style_file_id) and state in ('queued', 'running'))
  returning id`;

const TAKE_NIGHT = `
  update reconciliation set night = ($1::timestamptz at time zone 'utc')::date
  where night < ($1::timestamptz at time zone 'utc')::date
  returning object_key as object, file_id as file`;
