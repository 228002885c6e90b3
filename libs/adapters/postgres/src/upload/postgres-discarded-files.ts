import type { DiscardedFiles, DoomedFile } from '#upload';
import type { Database } from '../database.ts';

/**
 * Whoever refers to a file holds its row with a lock that `for update` excludes. So a file is locked first, and
 * asked for references in the next statement: only that one sees what was committed before the lock was had.
 */
export class PostgresDiscardedFiles implements DiscardedFiles {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async doomExpired(now: Date, forgottenAt: Date, limit: number): Promise<number> {
    return (await this.#database.query(DOOM_EXPIRED, [now, forgottenAt, limit])).length;
  }

  async doomUnneeded(ids: readonly number[], now: Date): Promise<readonly number[]> {
    const locked = await this.#lock(LOCK, [ids]);
    await this.#database.query(DOOM_UNNEEDED, [locked, now]);
    if (locked.length === ids.length) return [];
    return (await this.#database.query<Row>(STILL_THERE, [ids, locked])).map((row) => row.id);
  }

  async reviewAdded(now: Date, limit: number): Promise<number> {
    const locked = await this.#lock(LOCK_FOR_REVIEW, [now, limit]);
    await this.#database.query(REVIEW, [locked, now]);
    return locked.length;
  }

  async partFromPersona(personaId: number, now: Date, limit: number): Promise<number> {
    const locked = await this.#lock(LOCK_OF_PERSONA, [personaId, limit]);
    await this.#database.query(PART, [locked, now]);
    return locked.length;
  }

  takeDoomed(limit: number): Promise<readonly DoomedFile[]> {
    return this.#database.query(TAKE_DOOMED, [limit]);
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#database.query(REMOVE, [ids]);
  }

  async takeAbandoned(before: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.#database.query<{ key: string }>(TAKE_ABANDONED, [before, limit]);
    return rows.map((row) => row.key);
  }

  async removePersona(personaId: number): Promise<boolean> {
    if (!(await this.#database.one(LOCK_PERSONA, [personaId]))) return true;
    return (await this.#database.one(REMOVE_PERSONA, [personaId])) !== null;
  }

  async #lock(sql: string, values: readonly unknown[]): Promise<readonly number[]> {
    return (await this.#database.query<Row>(sql, values)).map((row) => row.id);
  }
}

interface Row {
  readonly id: number;
}

/** Every reference that keeps a file `f`, whatever became of its persona. */
const REFERRED_TO = `(
  exists (select from trainings where file_id = f.id)
  or exists (select from media_files where file_id = f.id)
  or exists (select from generations where image_file_id = f.id and state in ('queued', 'running'))
  or exists (select from generations where style_file_id = f.id and state in ('queued', 'running'))
)`;

/** An upload is also needed as long as its persona is there, and an output until its persona is deleted. */
const NEEDED = `(
  ${REFERRED_TO}
  or f.origin = 'upload'
    and exists (select from personas where id = f.persona_id and deleted_at is null)
  or f.origin = 'output'
    and exists (select from generation_outputs where file_id = f.id)
    and not exists (select from personas where id = f.persona_id and deleted_at is not null)
)`;

const DOOM_EXPIRED = `
  with doomed as (
    update files set doomed_at = $1
    where id = any(array(
      select id from files
      where expires_at <= $1 and doomed_at is null
      order by expires_at, id
      limit $3
      for update skip locked
    ))
    returning id
  ),
  expired as (
    update uploads set state = 'expired', clean_up_at = $2
    where file_id = any(array(select id from doomed)) and state = 'finalized'
  )
  select id from doomed`;

const LOCK = 'select id from files where id = any($1) and doomed_at is null for update skip locked';

const STILL_THERE =
  'select id from files where id = any($1) and id <> all($2::bigint[]) and doomed_at is null';

const DOOM_UNNEEDED = `update files f set doomed_at = $2 where id = any($1::bigint[]) and not ${NEEDED}`;

const LOCK_FOR_REVIEW = `
  select id from files
  where review_at <= $1 and doomed_at is null
  order by review_at, id
  limit $2
  for update skip locked`;

const REVIEW = `
  update files f set review_at = null, doomed_at = case when ${NEEDED} then null else $2::timestamptz end
  where id = any($1::bigint[])`;

const LOCK_OF_PERSONA = `
  select f.id
  from files f
  join personas p on p.id = f.persona_id and p.deleted_at is not null
  where f.persona_id = $1 and f.doomed_at is null
  order by f.id
  limit $2
  for update of f skip locked`;

const PART = `
  update files f
  set persona_id = case when ${REFERRED_TO} then null else persona_id end,
    doomed_at = case when ${REFERRED_TO} then null else $2::timestamptz end
  where id = any($1::bigint[])`;

const TAKE_DOOMED = `
  select id, key from files
  where doomed_at is not null
  order by doomed_at, id
  limit $1
  for update skip locked`;

const REMOVE = 'delete from files where id = any($1) and doomed_at is not null';

const TAKE_ABANDONED = `
  delete from object_reservations
  where key = any(array(
    select key from object_reservations
    where reserved_at < $1
    order by reserved_at
    limit $2
    for update skip locked
  ))
  returning key`;

const LOCK_PERSONA = 'select id from personas where id = $1 and deleted_at is not null for update';

const REMOVE_PERSONA = `
  delete from personas p
  where id = $1
    and not exists (select from files where persona_id = p.id)
    and not exists (select from uploads where persona_id = p.id)
  returning id`;
