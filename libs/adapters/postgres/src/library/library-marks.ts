import { sql } from 'kysely';
import { searchDocument, type LibraryMarks, type MarkedItem, type SearchedFacts } from '#library';
import { changeBoardsWith } from '../board/postgres-media.ts';
import type { Database } from '../database.ts';
import { NAME } from '../files/file-rows.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { insertFrom } from '../shapes.ts';
import { isVisible, learnWords } from './library-rows.ts';

export class PostgresLibraryMarks implements LibraryMarks {
  constructor(private readonly database: Database) {}

  lock(workspaceId: number, fileIds: readonly number[]): Promise<readonly MarkedItem[]> {
    return this.database.run(lockItems, { workspaceId, ids: fileIds });
  }

  async save(workspaceId: number, items: readonly MarkedItem[]): Promise<void> {
    const marks = new Map(items.map((item) => [item.fileId, item]));
    const changed = await reindex(this.database, workspaceId, [...marks.keys()], ({ fileId }) => marks.get(fileId)!);
    await changeBoardsWith(this.database, [...marks.keys()]);
    await this.database.run(insertTags, { workspaceId, tags: [...new Set(changed.flatMap(({ tags }) => tags))] });
  }
}

/** Saves the marks of items, and has them found by these and by their names. */
export async function reindex(
  database: Database,
  workspaceId: number,
  ids: readonly number[],
  marksOf: (item: MarkedItem) => MarkedItem,
): Promise<readonly MarkedItem[]> {
  const items = await database.run(readFacts, { workspaceId, ids });
  const changed = items.map((item) => ({ ...item, ...marksOf(item) }));
  await learnWords(database, changed.map(newWords));
  await database.run(saveMarks, {
    ids: changed.map(({ fileId }) => fileId),
    ratings: changed.map(({ rating }) => rating),
    tags: changed.map(({ tags }) => JSON.stringify(tags)),
    documents: changed.map(searchDocument),
  });
  return changed;
}

/** Facts whose words may be new: the others are known. */
function newWords({ tags, name, workspaceId, kind, origin }: SearchedFacts): SearchedFacts {
  const known = { model: null, personaId: null, userId: null, prompt: null, filename: '' };
  return { workspaceId, kind, origin, tags, name, ...known };
}

/** In one order: two calls for the same items wait for each other, and never both. */
const lockItems = prepared<{ workspaceId: number; ids: readonly number[] }>()((param) =>
  build
    .selectFrom('library_items')
    .select(['file_id as fileId', 'tags', 'rating'])
    .where('workspace_id', '=', param('workspaceId'))
    .where('file_id', '=', anyOf(param('ids')))
    .where((eb) => isVisible(eb, param('workspaceId')))
    .orderBy('file_id')
    .forNoKeyUpdate(),
);

const readFacts = prepared<{ workspaceId: number; ids: readonly number[] }>()((param) =>
  build
    .selectFrom('library_items as item')
    .innerJoin('files', 'files.id', 'item.file_id')
    .leftJoin('generations', 'generations.id', 'item.generation_id')
    .where('item.workspace_id', '=', param('workspaceId'))
    .where('item.file_id', '=', anyOf(param('ids')))
    .select(['item.file_id as fileId', 'item.workspace_id as workspaceId', 'item.kind', 'item.origin', 'item.model'])
    .select(['item.persona_id as personaId', 'item.user_id as userId', 'generations.prompt', 'files.filename'])
    .select([NAME, 'item.tags', 'item.rating'])
    .forNoKeyUpdate('item'),
);

interface ChangedRow {
  readonly file_id: number;
  readonly rating: number;
  readonly tags: string;
  readonly document: string;
}

const saveMarks = prepared<{
  ids: readonly number[];
  ratings: readonly number[];
  tags: readonly string[];
  documents: readonly string[];
}>()((param) =>
  build
    .updateTable('library_items')
    .from(
      sql<ChangedRow>`unnest(${param('ids')}::bigint[], ${param('ratings')}::smallint[], ${param('tags')}::text[],
        ${param('documents')}::text[])`.as<'changed'>(sql`changed (file_id, rating, tags, document)`),
    )
    .set({
      rating: sql<number>`changed.rating`,
      tags: sql<string[]>`array(select jsonb_array_elements_text(changed.tags::jsonb))`,
      words: sql<string>`changed.document::tsvector`,
    })
    .whereRef('library_items.file_id', '=', 'changed.file_id'),
);

/** The last statement of a unit of work, and in one order: nothing that waits for a tag has what this needs. */
const insertTags = prepared<{ workspaceId: number; tags: readonly string[] }>()((param) =>
  insertFrom(
    build.insertInto('library_tags'),
    (eb) =>
      eb
        .selectFrom(sql<{ tag: string }>`unnest(${param('tags')}::text[])`.as<'added'>(sql`added (tag)`))
        .orderBy(sql`added.tag collate "C"`),
    (eb) => ({ workspace_id: param('workspaceId'), tag: eb.ref('added.tag') }),
  ).onConflict((conflict) => conflict.doNothing()),
);
