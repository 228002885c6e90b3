import { sql, type RawBuilder } from 'kysely';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Obstacle, Restored, TrashEntry, TrashStore } from '#trash';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { isForeignKeyViolation } from '../translate-database-error.ts';

const ENTRY = fieldsOf('trash', [
  'id',
  'kind',
  'itemId',
  'boardId',
  'name',
  'deletedBy',
  'deletedAt',
  'expiresAt',
] as const);

/** Of a media its row has it; it shows what the picture looked like. */
const PLACEHOLDER = sql<string | null>`(
  select content ->> 'placeholder' from trash_rows
  where trash_id = trash.id and relation = 'media' and trash.kind = 'media')`.as('placeholder');

export class PostgresTrash implements TrashStore {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, page: PageRequest): Promise<Page<TrashEntry>> {
    const rows = await this.database.run(LIST, { workspaceId, ...pageValues(page) });
    return pageOf(rows, page.limit, (entry) => entry.id);
  }

  exists(workspaceId: number, entryId: number): Promise<boolean> {
    return this.database.any(EXISTS, { workspaceId, entryId });
  }

  lock(workspaceId: number, entryId: number, now: Date): Promise<TrashEntry | null> {
    return this.database.one(LOCK, { workspaceId, entryId, now });
  }

  async restore(entry: TrashEntry): Promise<Restored | { readonly obstacle: Obstacle }> {
    const values = { entryId: entry.id, itemId: entry.itemId };
    if (await this.#isUnfinished(entry)) return { obstacle: 'unfinished' };
    const files = (await this.database.one(RESTORE_FILES, values))!;
    if (files.missing > 0) return { obstacle: 'files' };
    const rows = await this.database.one(RESTORE_ROWS, values).catch((error: unknown) => {
      if (isForeignKeyViolation(error)) return null;
      throw error;
    });
    if (!rows) return { obstacle: 'folder' };
    // In statements of their own: they see the rows that came back.
    if (entry.kind === 'persona') await this.database.run(RETURN_TO_PERSONA, values);
    if (entry.boardId !== null) await this.database.run(COUNT, { boardId: entry.boardId });
    await this.database.run(DROP, values);
    return { ...rows, keys: files.keys };
  }

  async drop(entry: TrashEntry): Promise<readonly number[] | { readonly obstacle: Obstacle }> {
    if (await this.#isUnfinished(entry)) return { obstacle: 'unfinished' };
    const { fileIds } = (await this.database.one(OWN_FILES, { entryId: entry.id }))!;
    await this.database.run(DROP, { entryId: entry.id });
    return fileIds;
  }

  /** The purge of a board or a persona moves its rows to the trash in batches. */
  async #isUnfinished({ kind, itemId }: TrashEntry): Promise<boolean> {
    if (kind === 'board') return this.database.any(FIND_BOARD, { itemId });
    return kind === 'persona' && (await this.database.any(FIND_PERSONA, { itemId }));
  }
}

const LIST = prepared<PageValues & { workspaceId: number }>()((p) =>
  build
    .selectFrom('trash')
    .select(ENTRY)
    .select(PLACEHOLDER)
    .where('workspace_id', '=', p('workspaceId'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
);

interface InWorkspace {
  readonly workspaceId: number;
  readonly entryId: number;
}

const EXISTS = prepared<InWorkspace>()((p) =>
  build.selectFrom('trash').select('id').where('workspace_id', '=', p('workspaceId')).where('id', '=', p('entryId')),
);

const LOCK = prepared<InWorkspace & { now: Date }>()((p) =>
  build
    .selectFrom('trash')
    .select(ENTRY)
    .select(PLACEHOLDER)
    .where('workspace_id', '=', p('workspaceId'))
    .where('id', '=', p('entryId'))
    .where('expires_at', '>', p('now'))
    .forUpdate(),
);

const FIND_BOARD = prepared<{ itemId: number }>()((p) =>
  build.selectFrom('boards').select('id').where('id', '=', p('itemId')),
);

const FIND_PERSONA = prepared<{ itemId: number }>()((p) =>
  build.selectFrom('personas').select('id').where('id', '=', p('itemId')),
);

interface Entry {
  readonly entryId: number;
}

const DROP = prepared<Entry>()((p) => build.deleteFrom('trash').where('id', '=', p('entryId')));

const filesOf = (entryId: RawBuilder<number>) =>
  sql`select distinct unnest(file_ids) as id from trash_rows where trash_id = ${entryId}`;

/** Inserts rows of a table out of JSON, with their ids. */
const insertRows = (table: keyof Tables, rows: RawBuilder<unknown>) =>
  sql`insert into ${sql.table(table)} overriding system value
    select r.* from ${rows} source, jsonb_populate_record(null::${sql.table(table)}, source.content) r`;

// A file is deleted together with its outputs and thumbnails; their generations are never deleted. Files of a deleted
// persona return to it once its own row is back.
const RESTORE_FILES = prepared<Entry>()((p) =>
  build
    .with('wanted', () => sql<{ id: number }>`(${filesOf(p('entryId'))})`)
    .with(
      'found',
      () => sql<{ content: object }>`(
        delete from discarded_objects using wanted
        where discarded_objects.file is not null and (discarded_objects.file ->> 'id')::bigint = wanted.id
        returning discarded_objects.file || jsonb_build_object('review_at', null, 'persona_id', (
          select p.id from personas p
          where p.id = (discarded_objects.file ->> 'persona_id')::bigint and p.deleted_at is null)) as content)`,
    )
    .with('back', () => sql<{ id: number; key: string }>`(${insertRows('files', sql`found`)} returning id, key)`)
    .with('outputs', () => sql<object>`(${insertRows('generation_outputs', partsOf('outputs'))} returning file_id)`)
    .with(
      'thumbnails',
      () => sql<object>`(${insertRows('generation_thumbnails', partsOf('thumbnails'))} returning file_id)`,
    )
    .selectNoFrom([
      sql<number>`(select count(*) from wanted
        where id not in (select id from back) and id not in (select f.id from files f join wanted w on w.id = f.id))`.as(
        'missing',
      ),
      sql<string[]>`array(select key from back)`.as('keys'),
    ]),
);

function partsOf(name: 'outputs' | 'thumbnails'): RawBuilder<unknown> {
  return sql`(select jsonb_array_elements(found.content -> ${sql.lit(name)}) as content from found)`;
}

const RESTORE_ROWS = prepared<Entry & { itemId: number }>()((p) => {
  const rowsOf = (table: 'boards' | 'folders' | 'media' | 'personas' | 'trainings') =>
    sql`(select content from trash_rows where trash_id = ${p('entryId')} and relation = ${sql.lit(table)})`;
  return build
    .with('board', () => sql<object>`(${insertRows('boards', undeleted(rowsOf('boards')))} returning id)`)
    .with(
      'folder',
      () => sql<{ id: number; parent_id: number | null }>`(
      ${insertRows('folders', rowsOf('folders'))} returning id, parent_id)`,
    )
    .with(
      'item',
      () => sql<{ id: number; revision: number; state: string }>`(
      ${insertRows('media', rowsOf('media'))} returning id, revision, state)`,
    )
    .with(
      'files',
      () => sql<object>`(
      insert into media_files (media_id, file_id)
      select (content ->> 'id')::bigint, unnest(file_ids) from trash_rows
      where trash_id = ${p('entryId')} and relation = 'media' returning media_id)`,
    )
    .with('persona', () => sql<object>`(${insertRows('personas', undeleted(rowsOf('personas')))} returning id)`)
    .with(
      'training',
      () => sql<{ id: number; picture_version: number; state: string }>`(
      ${insertRows('trainings', rowsOf('trainings'))} returning id, picture_version, state)`,
    )
    .selectNoFrom([
      sql<number | null>`(select parent_id from folder where id = ${p('itemId')})`.as('parentId'),
      sql<Restored['media']>`(
        select coalesce(json_agg(json_build_object('id', id, 'revision', revision)), '[]')
        from item where state = 'created')`.as('media'),
      sql<Restored['trainings']>`(
        select coalesce(json_agg(json_build_object('id', id, 'pictureVersion', picture_version)), '[]')
        from training where state = 'created')`.as('trainings'),
    ]);
});

function undeleted(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select content || '{"deleted_at": null}' as content from ${rows} row)`;
}

const RETURN_TO_PERSONA = prepared<Entry & { itemId: number }>()((p) =>
  build
    .with(
      'files_back',
      () => sql<object>`(
      update files set persona_id = ${p('itemId')}
      where persona_id is null and id in (
        select unnest(file_ids) from trash_rows where trash_id = ${p('entryId')} and relation = 'files')
      returning id)`,
    )
    .updateTable('generations')
    .set({ persona_id: p('itemId') })
    .where('persona_id', 'is', null)
    .where(
      'id',
      'in',
      sql<number>`(
        select jsonb_array_elements_text(content -> 'ids')::bigint from trash_rows
        where trash_id = ${p('entryId')} and relation = 'generations')`,
    ),
);

const COUNT = prepared<{ boardId: number }>()((p) =>
  build
    .updateTable('boards')
    .set({
      folders_count: sql<number>`(select count(*) from folders where board_id = boards.id)`,
      media_count: sql<number>`(select count(*) from media where board_id = boards.id)`,
    })
    .where('id', '=', p('boardId')),
);

const OWN_FILES = prepared<Entry>()((p) =>
  build.selectNoFrom(
    sql<number[]>`array(
      select own.id from (${filesOf(p('entryId'))}) own
      where not exists (
        select from trash_rows other where other.trash_id <> ${p('entryId')} and other.file_ids @> array[own.id]))`.as(
      'fileIds',
    ),
  ),
);
