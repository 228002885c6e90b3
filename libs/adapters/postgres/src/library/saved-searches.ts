import { DomainError } from '#kernel';
import type { LibraryFilter, NewSavedSearch, SavedSearch, SavedSearchStore } from '#library';
import type { Database } from '../database.ts';
import { SavedSearch as SavedSearchTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { violates } from '../translate-database-error.ts';

const SEARCH = fieldsOf('saved_searches', ['id', 'name', 'filter', 'createdBy', 'createdAt', 'updatedAt']);

export class PostgresSavedSearches implements SavedSearchStore {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, limit: number, after: string): Promise<readonly SavedSearch[]> {
    const searches = this.#searches(workspaceId).where('name', '>', after).orderBy('name').limit(limit);
    return (await searches.execute()).map(searchOf);
  }

  async countOf(workspaceId: number, userId: number): Promise<number> {
    const own = this.database.kysely
      .selectFrom('saved_searches')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where((eb) => eb.and({ workspace_id: workspaceId, created_by: userId }));
    return (await own.executeTakeFirstOrThrow()).count;
  }

  async add({ workspaceId, ...search }: NewSavedSearch): Promise<SavedSearch> {
    const id = await this.#named(() => this.database.em.insert(SavedSearchTable, { workspaceId, ...search }));
    return { id, ...search };
  }

  async lock(workspaceId: number, id: number): Promise<SavedSearch | null> {
    const row = await this.#searches(workspaceId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    return row ? searchOf(row) : null;
  }

  async save({ id, name, filter, updatedAt }: SavedSearch): Promise<void> {
    await this.#named(() => this.database.em.nativeUpdate(SavedSearchTable, { id }, { name, filter, updatedAt }));
  }

  async delete(id: number): Promise<void> {
    await this.database.em.nativeDelete(SavedSearchTable, { id });
  }

  #searches(workspaceId: number) {
    return this.database.kysely.selectFrom('saved_searches').select(SEARCH).where('workspace_id', '=', workspaceId);
  }

  async #named<T>(write: () => Promise<T>): Promise<T> {
    return write().catch((error: unknown) => {
      if (!violates(error, 'saved_searches_name')) throw error;
      throw new DomainError('conflict', 'a saved search has this name: choose another', { cause: error });
    });
  }
}

function searchOf({ filter, ...search }: SavedSearch): SavedSearch {
  return { ...search, filter: filterOf(filter) };
}

/** JSON has no dates. */
function filterOf({ after, before, ...filter }: LibraryFilter): LibraryFilter {
  const times = { ...(after ? { after: new Date(after) } : {}), ...(before ? { before: new Date(before) } : {}) };
  return { ...filter, ...times };
}
