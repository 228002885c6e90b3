import type { DiscardedFiles } from '#files';
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

  async discardExpired(now: Date, forgottenAt: Date, limit: number): Promise<number> {
    return (await this.#database.query(DISCARD_EXPIRED, [now, forgottenAt, limit])).length;
  }

  async discardUnneeded(ids: readonly number[], now: Date): Promise<readonly number[]> {
    const locked = await this.#lock(LOCK, [ids]);
    await this.#database.query(DISCARD_UNNEEDED, [locked, now]);
    if (locked.length === ids.length) return [];
    return (await this.#database.query<Row>(OTHERS_THERE, [ids, locked])).map((row) => row.id);
  }

  async reviewAdded(now: Date, limit: number): Promise<number> {
    const locked = await this.#lock(LOCK_FOR_REVIEW, [now, limit]);
    if (locked.length === 0) return 0;
    await this.#database.query(DISCARD_UNNEEDED, [locked, now]);
    await this.#database.query('update files set review_at = null where id = any($1)', [locked]);
    return locked.length;
  }

  async partFromPersona(personaId: number, now: Date, limit: number): Promise<number> {
    const locked = await this.#lock(LOCK_OF_PERSONA, [personaId, limit]);
    await this.#database.query(DISCARD_UNREFERRED, [locked, now]);
    await this.#database.query('update files set persona_id = null where id = any($1)', [locked]);
    return locked.length;
  }

  async takeObjects(now: Date, limit: number): Promise<readonly string[]> {
    const rows = await this.#database.query<{ key: string }>(TAKE_OBJECTS, [now, limit]);
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

const discard = (condition: string): string => `
  with gone as (delete from files f where ${condition} returning key)
  insert into discarded_objects (key, due_at) select key, $2::timestamptz from gone`;

const DISCARD_UNNEEDED = discard(`id = any($1::bigint[]) and not ${NEEDED}`);

const DISCARD_UNREFERRED = discard(`id = any($1::bigint[]) and not ${REFERRED_TO}`);

// Nothing refers to a temporary file; should anything do so all the same, it does not keep the others from going.
const DISCARD_EXPIRED = `
  with gone as (
    delete from files
    where id = any(array(
      select id from files f
      where expires_at <= $1 and not ${REFERRED_TO}
      order by expires_at, id
      limit $3
      for update skip locked
    ))
    returning id, key
  ),
  discarded as (insert into discarded_objects (key, due_at) select key, $1 from gone),
  expired as (
    update uploads set state = 'expired', file_id = null, clean_up_at = $2
    where file_id = any(array(select id from gone)) and state = 'finalized'
  )
  select id from gone`;

const LOCK = 'select id from files where id = any($1) for update skip locked';

const OTHERS_THERE = 'select id from files where id = any($1) and id <> all($2::bigint[])';

const LOCK_FOR_REVIEW = `
  select id from files
  where review_at <= $1
  order by review_at, id
  limit $2
  for update skip locked`;

const LOCK_OF_PERSONA = `
  select f.id
  from files f
  join personas p on p.id = f.persona_id and p.deleted_at is not null
  where f.persona_id = $1
  order by f.id
  limit $2
  for update of f skip locked`;

const TAKE_OBJECTS = `
  delete from discarded_objects
  where key = any(array(
    select key from discarded_objects
    where due_at <= $1
    order by due_at
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
