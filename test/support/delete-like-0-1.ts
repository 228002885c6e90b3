import { keptKey } from '#files';
import type { UploadRoom } from '#testing/files';
import type { TrashEntry } from '#trash';
import type { TestDatabase } from './database.ts';

/** A board with nested folders, an item in the inner folder, and an item in no folder. */
interface BoardIds {
  readonly board: number;
  readonly outer: number;
  readonly inner: number;
  readonly shown: number;
  readonly loose: number;
}

/** Deletes an item like version 0.1: rows become JSON, and unneeded files leave their table. */
export async function deleteLike01(
  db: TestDatabase,
  room: UploadRoom,
  kind: Exclude<TrashEntry['kind'], 'item'>,
  { board, outer, inner, shown, loose }: BoardIds,
): Promise<void> {
  const { workspaceId, userId } = room.actor;
  const itemId = { board, folder: outer, media: shown, persona: room.personaId }[kind];
  const [{ id: entryId }] = (await db.query<{ id: number }>(
    `insert into trash (workspace_id, kind, item_id, board_id, name, deleted_by, deleted_at, expires_at)
     values ($1, $2, $3, $4, $2, $5, $6, $6::timestamptz + interval '7 days') returning id`,
    [workspaceId, kind, itemId, kind === 'folder' || kind === 'media' ? board : null, userId, room.clock.now()],
  )) as [{ id: number }];
  const move = async (table: string, ids: readonly number[], fileIds = `'{}'::bigint[]`) => {
    await db.query(
      `insert into trash_rows (trash_id, relation, content, file_ids)
       select $1, '${table}', to_jsonb(t) - 'deletion_id', ${fileIds} from ${table} t where id = any($2)`,
      [entryId, ids],
    );
    await db.query(`delete from ${table} where id = any($1)`, [ids]);
  };
  const mark = (table: string) => db.query(`update ${table} set deleted_at = now() where id = $1`, [itemId]);
  if (kind === 'persona') {
    const of = async (table: string) =>
      (await db.query<{ id: number }>(`select id from ${table} where persona_id = $1`, [itemId])).map(({ id }) => id);
    const [files, generations] = [await of('files'), await of('generations')];
    await mark('personas');
    await move('trainings', await of('trainings'), 'array[file_id]');
    await db.query(
      `insert into trash_rows (trash_id, relation, content, file_ids) values ($1, 'files', '{}', $2),
         ($1, 'generations', jsonb_build_object('ids', $3::bigint[]), '{}')`,
      [entryId, files, generations],
    );
    await db.query('delete from uploads where persona_id = $1', [itemId]);
    await move('personas', [itemId]);
  } else {
    const media = { board: [shown, loose], folder: [shown], media: [shown] }[kind];
    const folders = kind === 'media' ? [] : [inner, outer];
    if (kind === 'board') await mark('boards');
    await move('media', media, 'array(select file_id from media_files where media_id = t.id)');
    await move('folders', folders);
    if (kind === 'board') await move('boards', [board]);
    await db.query(
      'update boards set media_count = media_count - $2, folders_count = folders_count - $3 where id = $1',
      [board, media.length, folders.length],
    );
  }
  const discarded = await db.query<{ key: string }>(
    `with gone as (
       select f.*, jsonb_build_object(
         'outputs', (select coalesce(jsonb_agg(o), '[]') from generation_outputs o where o.file_id = f.id),
         'thumbnails', (select coalesce(jsonb_agg(t), '[]') from generation_thumbnails t where t.file_id = f.id)) as parts
       from files f where f.id in (select unnest(file_ids) from trash_rows where trash_id = $1)
         and not exists (select from media_files m where m.file_id = f.id)
         and not exists (select from trainings t where t.file_id = f.id)),
     kept as (
       insert into discarded_objects (key, due_at, file)
       select regexp_replace(key, '^files/', 'kept/'), $2::timestamptz + interval '7 days',
         to_jsonb(gone) - 'deletion_id' - 'parts' || parts from gone)
     delete from files where id in (select id from gone) returning key`,
    [entryId, room.clock.now()],
  );
  for (const { key } of discarded) await room.storage.copy(key, keptKey(key), {});
  await room.storage.delete(discarded.map(({ key }) => key));
}
