import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../schema.ts';

/**
 * Restores the rows that 0.1 deleted and stored as JSON to their tables, as deleted rows. Restores all rows of a workspace
 * together, as its entries share files. To be removed with 0.3, which never runs beside 0.1.
 */
export async function bringBackFromJson({ kysely }: Database, workspaceIds: readonly number[]): Promise<void> {
  const entries = sql`(select id from trash where workspace_id = any(${workspaceIds}))`;
  const { rows } = await sql`select from trash_rows where trash_id in ${entries} limit 1`.execute(kysely);
  if (rows.length === 0) return;
  for (const statement of statementsOf(entries)) await statement.execute(kysely);
}

function statementsOf(entries: RawBuilder<unknown>): readonly RawBuilder<unknown>[] {
  const rowsOf = (table: keyof Tables) => sql`
    select r.content || jsonb_build_object('deletion_id', coalesce((r.content ->> 'deletion_id')::bigint, r.trash_id))
        as content
    from trash_rows r where r.trash_id in ${entries} and r.relation = ${sql.lit(table)}`;
  const insertRows = (table: keyof Tables, rows: RawBuilder<unknown>) => sql`
    insert into ${sql.table(table)} overriding system value
    select r.* from (${rows}) source, jsonb_populate_record(null::${sql.table(table)}, source.content) r
    on conflict do nothing`;
  const files = sql`
    select d.file, (
      select max(r.trash_id) from trash_rows r
      where r.trash_id in ${entries} and r.file_ids @> array[(d.file ->> 'id')::bigint]) as trash_id
    from discarded_objects d
    where d.file is not null and (d.file ->> 'id')::bigint in (
      select unnest(r.file_ids) from trash_rows r where r.trash_id in ${entries})`;
  const partsOf = (name: 'outputs' | 'thumbnails') => sql`
    select jsonb_array_elements(d.file -> ${sql.lit(name)}) as content from (${files}) d`;
  const ofPersona = (relation: 'files' | 'generations') => sql`
    trash_rows r join trash t on t.id = r.trash_id and t.kind = 'persona'
    where r.trash_id in ${entries} and r.relation = ${sql.lit(relation)}`;
  return [
    insertRows('personas', rowsOf('personas')),
    // An item of a folder that no longer exists moves to the root.
    insertRows('boards', rowsOf('boards')),
    insertRows('folders', rootedIn('parent_id', rowsOf('folders'), rowsOf('folders'))),
    insertRows('media', rootedIn('folder_id', rowsOf('media'), rowsOf('folders'))),
    insertRows(
      'files',
      sql`select d.file || jsonb_build_object('deletion_id', d.trash_id, 'review_at', null, 'persona_id', (
          select p.id from personas p where p.id = (d.file ->> 'persona_id')::bigint)) as content
        from (${files}) d`,
    ),
    insertRows('generation_outputs', partsOf('outputs')),
    insertRows('generation_thumbnails', partsOf('thumbnails')),
    sql`insert into media_files (media_id, file_id)
      select m.id, f.id from trash_rows r
      join media m on m.id = (r.content ->> 'id')::bigint
      join files f on f.id = any(r.file_ids)
      where r.trash_id in ${entries} and r.relation = 'media' on conflict do nothing`,
    insertRows(
      'trainings',
      sql`select r.content from trash_rows r
        where r.trash_id in ${entries} and r.relation = 'trainings'
          and ((r.content ->> 'file_id') is null or exists (
            select from files f where f.id = (r.content ->> 'file_id')::bigint))`,
    ),
    sql`update files set persona_id = back.item_id
      from (select t.item_id, r.file_ids from ${ofPersona('files')}) back
      where files.id = any(back.file_ids) and files.persona_id is null`,
    sql`update generations set persona_id = back.item_id
      from (select t.item_id, r.content -> 'ids' as ids from ${ofPersona('generations')}) back
      where back.ids @> to_jsonb(generations.id) and generations.persona_id is null`,
    sql`update discarded_objects set file = null
      where file is not null and exists (select from files f where f.id = (discarded_objects.file ->> 'id')::bigint)`,
    sql`delete from trash_rows where trash_id in ${entries}`,
  ];
}

/** Moves rows to the root whose folder neither exists nor is restored. */
function rootedIn(column: 'parent_id' | 'folder_id', rows: RawBuilder<unknown>, folders: RawBuilder<unknown>) {
  const folder = sql`(source.content ->> ${sql.lit(column)})::bigint`;
  return sql`
    select case when ${folder} in (select id from folders)
        or ${folder} in (select (back.content ->> 'id')::bigint from (${folders}) back)
      then source.content else source.content || jsonb_build_object(${sql.lit(column)}::text, null) end as content
    from (${rows}) source`;
}
