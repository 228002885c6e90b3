import { sql } from 'kysely';
import { isSeen, type Picture } from '#files';
import {
  facetQuery,
  MAX_TAG_COUNT,
  type LibraryCursor,
  type LibraryFilter,
  type LibraryItem,
  type LibraryPage,
  type LibraryViews,
  type TagCount,
} from '#library';
import type { Database } from '../database.ts';
import { PICTURE, stateOf } from '../files/file-rows.ts';
import { anyOf, build, prepared, type RowOf } from '../prepared.ts';
import { isVisible } from './library-rows.ts';
import { LibrarySearch } from './library-search.ts';

export class PostgresLibraryViews implements LibraryViews {
  readonly #search: LibrarySearch;

  constructor(private readonly database: Database) {
    this.#search = new LibrarySearch(database);
  }

  async search(
    workspaceId: number,
    filter: LibraryFilter,
    page: { readonly limit: number; readonly after: LibraryCursor | null },
  ): Promise<LibraryPage> {
    const { ids, next } = await this.#search.find(workspaceId, filter, page);
    return { items: await this.#items(workspaceId, ids), next };
  }

  async item(workspaceId: number, fileId: number): Promise<LibraryItem | null> {
    return (await this.#items(workspaceId, [fileId]))[0] ?? null;
  }

  async ids(workspaceId: number, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (keys.length === 0) return new Map();
    const rows = await this.database.run(selectIds, { workspaceId, keys });
    return new Map(rows.map(({ key, id }) => [key, id]));
  }

  async pictures(workspaceId: number, keys: readonly string[]): Promise<readonly Picture[]> {
    const files = await this.database.run(selectPictures, { workspaceId, keys });
    return files.filter(({ state }) => isSeen('url', state));
  }

  async tags(workspaceId: number, prefix: string, limit: number, after: string | null): Promise<readonly TagCount[]> {
    const found: TagCount[] = [];
    for (let last = after; found.length < limit;) {
      const tags = await this.database.run(selectTags, { workspaceId, prefix, limit, after: last });
      const counted = await this.#count(
        workspaceId,
        tags.map(({ tag }) => tag),
      );
      found.push(...counted.filter(({ items }) => items > 0));
      if (tags.length < limit) break;
      last = tags.at(-1)!.tag;
    }
    return found.slice(0, limit);
  }

  /** The items of each tag that callers see. A part of the statement for each tag, planned for how frequent that is. */
  async #count(workspaceId: number, tags: readonly string[]): Promise<readonly TagCount[]> {
    const { kysely } = this.database;
    const [first, ...others] = tags.map((tag) => {
      const query = facetQuery([[{ workspace: workspaceId }], [{ tag }]]);
      const items = kysely
        .selectFrom('library_items')
        .select('library_items.file_id')
        .where('library_items.workspace_id', '=', workspaceId)
        .where(sql<boolean>`library_items.words @@ ${query}::tsquery`)
        .where((eb) => isVisible(eb, sql.val(workspaceId)))
        .limit(MAX_TAG_COUNT);
      const count = kysely.selectFrom(items.as('tagged')).select(sql<number>`count(*)`.as('items'));
      return count.select(sql<string>`${tag}::text`.as('tag'));
    });
    return first ? others.reduce((all, count) => all.unionAll(count), first).execute() : [];
  }

  /** In the order of the ids. */
  async #items(workspaceId: number, ids: readonly number[]): Promise<readonly LibraryItem[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.run(selectItems, { workspaceId, ids });
    const items = new Map(rows.map((row) => [row.fileId, itemOf(row)]));
    return ids.flatMap((id) => items.get(id) ?? []);
  }
}

const selectItems = prepared<{ workspaceId: number; ids: readonly number[] }>()((param) =>
  build
    .selectFrom('library_items')
    .innerJoin('files', 'files.id', 'library_items.file_id')
    .leftJoin('generations', 'generations.id', 'library_items.generation_id')
    .where('library_items.workspace_id', '=', param('workspaceId'))
    .where('library_items.file_id', '=', anyOf(param('ids')))
    .where((eb) => isVisible(eb as never, param('workspaceId')))
    .select(PICTURE)
    .select(['files.id as fileId', 'files.filename', 'files.colors', 'generations.prompt', 'library_items.kind'])
    .select('generations.batch_id as batchId')
    .select(['library_items.origin', 'library_items.model', 'library_items.rating', 'library_items.tags'])
    .select(['library_items.persona_id as personaId', 'library_items.generation_id as generationId'])
    .select('library_items.created_at as createdAt')
    .select((eb) => eb.fn.coalesce('files.customer', 'generations.customer').as('customer'))
    .select((eb) => eb.fn.coalesce('files.metadata', 'generations.metadata').as('metadata')),
);

const selectIds = prepared<{ workspaceId: number; keys: readonly string[] }>()((param) =>
  build
    .selectFrom('library_items')
    .innerJoin('files', 'files.id', 'library_items.file_id')
    .where('library_items.workspace_id', '=', param('workspaceId'))
    .where('files.key', '=', anyOf(param('keys'), 'text'))
    .where((eb) => isVisible(eb as never, param('workspaceId')))
    .select(['files.id', 'files.key']),
);

const selectPictures = prepared<{ workspaceId: number; keys: readonly string[] }>()((param) =>
  build
    .selectFrom('files')
    .where('files.workspace_id', '=', param('workspaceId'))
    .where('files.key', '=', anyOf(param('keys'), 'text'))
    .select(PICTURE)
    .select((eb) => stateOf(eb).as('state')),
);

function itemOf({ colors, ...row }: RowOf<typeof selectItems>): LibraryItem {
  return { ...row, colors: colors ?? [] };
}

const selectTags = prepared<{ workspaceId: number; prefix: string; limit: number; after: string | null }>()((param) =>
  build
    .selectFrom('library_tags')
    .select('tag')
    .where('workspace_id', '=', param('workspaceId'))
    .where(sql<boolean>`tag >= ${param('prefix')}::text collate "C"`)
    .where(sql<boolean>`tag < (${param('prefix')}::text || chr(1114111)) collate "C"`)
    .where(sql<boolean>`tag > coalesce(${param('after')}::text, '') collate "C"`)
    .orderBy('tag')
    .limit(param('limit')),
);
