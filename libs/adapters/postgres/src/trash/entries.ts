import { sql, type RawBuilder } from 'kysely';
import type { Removal } from '#files';
import type { TrashKind } from '#trash';
import type { Param } from '../prepared.ts';

/** An entry that was added, by the item that it is for. */
interface AddedEntry {
  readonly id: number;
  readonly item_id: number;
}

/** Part of a statement: adds an entry for each removed item, unless nothing is kept. */
export function addEntries(
  kind: TrashKind,
  p: Param<Removal>,
  removed: RawBuilder<{ workspace_id: number; item_id: number; board_id: number | null; name: string | null }>,
): RawBuilder<AddedEntry> {
  return sql`(
    insert into trash (workspace_id, kind, item_id, board_id, name, deleted_by, deleted_at, expires_at)
    select removed.workspace_id, ${sql.lit(kind)}, removed.item_id, removed.board_id, removed.name,
      ${p('by')}, ${p('at')}, ${p('keptUntil')}
    from ${removed} removed where ${p('keptUntil')}::timestamptz is not null
    returning id, item_id)`;
}

/** Part of a statement: keeps rows of entries, `content` and the ids of their files, until they are restored. */
export function addRows(
  relation: 'boards' | 'folders' | 'media' | 'personas' | 'trainings' | 'files' | 'generations',
  rows: RawBuilder<{ trash_id: number; content: object; file_ids: number[] }>,
): RawBuilder<{ trash_id: number }> {
  return sql`(
    insert into trash_rows (trash_id, relation, content, file_ids)
    select trash_id, ${sql.lit(relation)}, content, file_ids from ${rows} kept
    returning trash_id)`;
}

/** The ids of the files of a media that the statement deletes. */
export const filesOfMedia = (media: string) =>
  sql<number[]>`array(select file_id from media_files where media_id = ${sql.ref(media)})`;
