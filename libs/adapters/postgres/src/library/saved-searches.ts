import { DomainError } from '#kernel';
import type { LibraryFilter, NewSavedSearch, SavedSearch, SavedSearchStore } from '#library';
import type { Database } from '../database.ts';
import { build, prepared, type RowOf } from '../prepared.ts';
import { SavedSearch as SavedSearchTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { violates } from '../translate-database-error.ts';

export class PostgresSavedSearches implements SavedSearchStore {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, limit: number, after: string): Promise<readonly SavedSearch[]> {
    return (await this.database.run(listSearches, { workspaceId, limit, after })).map(searchOf);
  }

  async countOf(workspaceId: number, userId: number): Promise<number> {
    return (await this.database.run(selectOwn, { workspaceId, userId })).length;
  }

  async add({ workspaceId, ...search }: NewSavedSearch): Promise<SavedSearch> {
    const id = await this.#named(() => this.database.em.insert(SavedSearchTable, { workspaceId, ...search }));
    return { id, ...search };
  }

  async lock(workspaceId: number, id: number): Promise<SavedSearch | null> {
    const row = await this.database.one(lockSearch, { workspaceId, id });
    return row && searchOf(row);
  }

  async save({ id, name, filter, updatedAt }: SavedSearch): Promise<void> {
    await this.#named(() => this.database.em.nativeUpdate(SavedSearchTable, { id }, { name, filter, updatedAt }));
  }

  async delete(id: number): Promise<void> {
    await this.database.em.nativeDelete(SavedSearchTable, { id });
  }

  async #named<T>(write: () => Promise<T>): Promise<T> {
    return write().catch((error: unknown) => {
      if (!violates(error, 'saved_searches_name')) throw error;
      throw new DomainError('conflict', 'a saved search has this name: choose another', { cause: error });
    });
  }
}

const searches = build
  .selectFrom('saved_searches')
  .select(fieldsOf('saved_searches', ['id', 'name', 'filter', 'createdBy', 'createdAt', 'updatedAt']));

const listSearches = prepared<{ workspaceId: number; limit: number; after: string }>()((param) =>
  searches
    .where('workspace_id', '=', param('workspaceId'))
    .where('name', '>', param('after'))
    .orderBy('name')
    .limit(param('limit')),
);

const selectOwn = prepared<{ workspaceId: number; userId: number }>()((param) =>
  build
    .selectFrom('saved_searches')
    .select('id')
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), created_by: param('userId') })),
);

const lockSearch = prepared<{ workspaceId: number; id: number }>()((param) =>
  searches.where((eb) => eb.and({ workspace_id: param('workspaceId'), id: param('id') })).forNoKeyUpdate(),
);

function searchOf({ filter, ...search }: RowOf<typeof listSearches>): SavedSearch {
  return { ...search, filter: filterOf(filter) };
}

/** JSON has no dates. */
function filterOf({ after, before, ...filter }: LibraryFilter): LibraryFilter {
  const times = { ...(after ? { after: new Date(after) } : {}), ...(before ? { before: new Date(before) } : {}) };
  return { ...filter, ...times };
}
